-- Outer joins of ordinary tables: the rows that are left in the end, NULL keys match nothing.
CREATE VIEW a AS SELECT * FROM (VALUES (1, 'p'), (2, 'q'), (CAST(NULL AS INT), 'r')) AS v(k, x);
CREATE VIEW b AS SELECT * FROM (VALUES (2, 'y'), (2, 'z'), (3, 'w'), (CAST(NULL AS INT), 'u')) AS v(k, y);
SELECT a.k, x, y FROM a LEFT JOIN b ON a.k = b.k;
SELECT b.k, x, y FROM a RIGHT JOIN b ON a.k = b.k AND y <> 'z';
SELECT a.k AS ak, b.k AS bk, x, y FROM a FULL JOIN b ON a.k = b.k;
SELECT a.k AS ak, b.k AS bk FROM a FULL JOIN b ON a.k < b.k;
SELECT k, x, y FROM a FULL JOIN b USING (k);
