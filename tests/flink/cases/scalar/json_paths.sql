-- JSON_VALUE, JSON_QUERY, JSON_EXISTS and IS JSON over rows; strict mode is the default.
SET 'table.display.max-column-width' = '60';
CREATE VIEW docs AS SELECT * FROM (VALUES
  (1, '{"a": {"b": [1, 2.50, "x"]}, "n": null, "z": 1e5}'),
  (2, '{"a": 7}'),
  (3, '[{"a": 1}, {"a": {"y": 2, "x": 1}}]'),
  (4, 'no json'),
  (5, CAST(NULL AS STRING))) AS t(id, doc);
SELECT id, doc IS JSON AS j, doc IS JSON OBJECT AS o, doc IS NOT JSON ARRAY AS a,
  JSON_EXISTS(doc, '$.a') AS e, JSON_EXISTS(doc, 'strict $.n' TRUE ON ERROR) AS n FROM docs;
SELECT id, JSON_VALUE(doc, '$.a.b[1]') AS deep,
  JSON_VALUE(doc, '$.z' DEFAULT 'empty' ON EMPTY DEFAULT 'error' ON ERROR) AS strict_z,
  JSON_VALUE(doc, 'lax $.z' DEFAULT 'empty' ON EMPTY DEFAULT 'error' ON ERROR) AS lax_z,
  JSON_VALUE(doc, '$.a' RETURNING VARCHAR(3)) AS a FROM docs;
SELECT id, JSON_QUERY(doc, '$') AS q, JSON_QUERY(doc, '$[*].a') AS all_a,
  JSON_QUERY(doc, '$..a' WITH WRAPPER) AS wrapped,
  JSON_QUERY(doc, 'lax $.a.b' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR) AS b FROM docs;
SELECT id, JSON_QUERY(doc, '$.a.b' RETURNING ARRAY<STRING>) AS b FROM docs;
