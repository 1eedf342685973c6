-- Digests, charsets, URLs and periods over rows.
SET 'table.display.max-column-width' = '140';
CREATE VIEW texts AS SELECT * FROM (VALUES
  ('http://user@x.com:80/p/q.php?a=1&b=2#r'), ('é'), (''), (CAST(NULL AS STRING))) AS t(s);
SELECT MD5(s) AS m, SHA1(s) AS s1, SHA224(s) AS s2 FROM texts;
SELECT SHA256(s) AS a, SHA2(s, 384) AS b FROM texts;
SELECT SHA512(s) AS a FROM texts;
SELECT ENCODE(s, 'UTF-16') AS e, DECODE(ENCODE(s, 'ISO-8859-1'), 'US-ASCII') AS d FROM texts;
SELECT PARSE_URL(s, 'HOST') AS h, PARSE_URL(s, 'FILE') AS f, PARSE_URL(s, 'QUERY', 'b') AS b,
  PARSE_URL(s, 'USERINFO') AS u, PARSE_URL(s, 'REF') AS r FROM texts;
SELECT id, (a, b) OVERLAPS (c, INTERVAL '1' DAY) AS o FROM (VALUES
  (1, TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-02 00:00:00', TIMESTAMP '2024-01-02 00:00:00'),
  (2, TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-02 00:00:00', TIMESTAMP '2024-01-03 00:00:00'),
  (3, TIMESTAMP '2024-01-05 00:00:00', TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-03 00:00:00'))
  AS t(id, a, b, c);
