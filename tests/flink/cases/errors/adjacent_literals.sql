-- Strings are joined over lines, not on one.
SELECT 'a' 'b';
