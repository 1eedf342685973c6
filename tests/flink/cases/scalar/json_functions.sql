-- JSON: tests, values, parts and building.
SELECT j IS JSON, j IS JSON OBJECT, j IS NOT JSON ARRAY, JSON_EXISTS(j, '$.a'), JSON_VALUE(j, '$.a'), JSON_VALUE(j, 'lax $.b' DEFAULT 'none' ON EMPTY), JSON_QUERY(j, '$.a' WITH CONDITIONAL ARRAY WRAPPER), JSON_OBJECT(KEY 'k' VALUE j), JSON_ARRAY(1, j), JSON_STRING(j), JSON_QUOTE(j), JSON_UNQUOTE(JSON_QUOTE(j))
FROM (VALUES ('{"a":1}'), ('{"a":[1,2]}'), ('[]'), ('x')) AS v(j);
