SELECT * FROM 'dir/file.csv' AS f;
SELECT * FROM a, b JOIN c ON a.x = c.x LEFT OUTER JOIN d USING (x, y), e;
SELECT * FROM a CROSS JOIN b NATURAL FULL JOIN c RIGHT JOIN d ON TRUE;
SELECT * FROM (a JOIN b ON x = y) LEFT JOIN (c CROSS JOIN d) ON z;
SELECT * FROM (SELECT 1) AS x (a), (VALUES (1, 'a'), (2, 'b')) v(a, b);
