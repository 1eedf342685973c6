-- A view may be replaced, or made where there is none.
CREATE OR REPLACE VIEW v AS SELECT 1 AS x;
SELECT x FROM v;
