-- Rows are not ordered.
SELECT ROW(1, 2) < ROW(1, 3);
