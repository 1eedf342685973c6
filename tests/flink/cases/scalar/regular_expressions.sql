-- SIMILAR TO, regular expressions and splitting.
SELECT s, s SIMILAR TO 'a(b|c)+', s NOT LIKE 'a%', REGEXP(s, 'b+'), REGEXP_COUNT(s, 'b'), REGEXP_EXTRACT(s, '(a)(b*)', 2), REGEXP_EXTRACT_ALL(s, 'b'), REGEXP_INSTR(s, 'b'), REGEXP_REPLACE(s, 'b+', 'x'), REGEXP_SUBSTR(s, 'b+'), SPLIT(s, 'b'), STR_TO_MAP(s, ',', ':')
FROM (VALUES ('abb'), ('xyz'), ('a:b,c:d'), ('')) AS v(s);
