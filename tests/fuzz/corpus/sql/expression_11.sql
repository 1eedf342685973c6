SELECT a IS JSON FROM t;
SELECT a IS NOT JSON OBJECT AND b FROM t;
SELECT size + data + timecol + step + gap + name + type + item + side + status FROM t;
SELECT week + quarter + map + key + first + last + zone + view + json + nulls + if + replace FROM t;
