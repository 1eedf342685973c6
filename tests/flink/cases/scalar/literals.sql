-- Literals of bytes, code points, powers of ten; quotes in strings.
SELECT X'0aFF', U&'\0041\00e9', 1e1, -.5, 'it''s', TIMESTAMP '2020-01-01 00:00:00.123456', INTERVAL '1 02:03:04.5' DAY TO SECOND, INTERVAL '-1-02' YEAR TO MONTH;
