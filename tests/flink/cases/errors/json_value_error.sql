-- A path that leads nowhere, where ON ERROR asks for an error.
SELECT JSON_VALUE(doc, '$.price' ERROR ON ERROR) AS price FROM (VALUES ('{"prize": 1}')) AS t(doc);
