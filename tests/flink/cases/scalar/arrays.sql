-- Functions of arrays and maps over rows.
CREATE VIEW lists AS SELECT * FROM (VALUES
  (1, ARRAY[3, 1, CAST(NULL AS INT), 3], ARRAY['b', 'a']),
  (2, ARRAY[2, 2, CAST(NULL AS INT), CAST(NULL AS INT)], ARRAY['c', 'c'])) AS t(id, n, s);
SELECT id, ARRAY_DISTINCT(n) AS d, ARRAY_SORT(n) AS s, ARRAY_SORT(n, FALSE, TRUE) AS r, ARRAY_REVERSE(n) AS v FROM lists;
SELECT id, ARRAY_POSITION(n, id) AS p, ARRAY_CONTAINS(n, CAST(NULL AS INT)) AS c, ARRAY_REMOVE(n, 3) AS r,
  ARRAY_SLICE(n, 2, -2) AS l, ARRAY_MAX(n) AS x, ARRAY_MIN(s) AS m FROM lists;
SELECT id, ARRAY_UNION(n, ARRAY[id, 9]) AS u, ARRAY_EXCEPT(n, ARRAY[id, 3]) AS e, ARRAY_INTERSECT(n, ARRAY[3, 2]) AS i,
  ARRAY_CONCAT(n, ARRAY[id]) AS c, ARRAY_APPEND(n, id) AS a, ARRAY_PREPEND(n, id) AS p FROM lists;
SELECT id, ARRAY_JOIN(s, '-') AS j, SPLIT(ARRAY_JOIN(s, ','), ',') AS b, REGEXP_EXTRACT_ALL(ARRAY_JOIN(s, '1'), '[a-z]', 0) AS r,
  ELEMENT(ARRAY[id]) AS e FROM lists;
SELECT id, MAP_KEYS(MAP['k', id]) AS k, MAP_VALUES(MAP['k', id]) AS v, MAP_ENTRIES(MAP['k', id]) AS e,
  MAP_FROM_ARRAYS(ARRAY['x'], ARRAY[id]) AS f, STR_TO_MAP(CONCAT('a=', s[1])) AS m FROM lists;
