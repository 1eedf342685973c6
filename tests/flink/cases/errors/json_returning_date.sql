-- RETURNING takes few types.
SELECT JSON_VALUE(doc, '$.d' RETURNING DATE) AS d FROM (VALUES ('{"d": "2024-01-01"}')) AS t(doc);
