-- ARRAY_SORT up and down, NULLs first and last; slices from the end; elements that are not there.
SELECT ARRAY_SORT(a), ARRAY_SORT(a, FALSE), ARRAY_SORT(a, TRUE, FALSE), ARRAY_SLICE(a, -2), ARRAY_POSITION(a, 9), a[9], ARRAY_REMOVE(a, 1), CARDINALITY(a)
FROM (VALUES (ARRAY[3, NULL, 1]), (ARRAY[2, 1, 1])) AS v(a);
