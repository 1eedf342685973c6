SELECT 1;
-- x
SELECT '가', `😀`;
