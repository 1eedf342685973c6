-- NATURAL JOIN takes the columns of equal name.
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS x(k, p) NATURAL JOIN (VALUES (2, 'y'), (3, 'z')) AS y(k, q);
