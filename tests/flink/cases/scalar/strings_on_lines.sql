-- Strings on lines of their own are one.
SELECT 'a'
'b';
