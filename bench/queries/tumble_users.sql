-- Ten-minute tumbling windows by five million users.
SELECT window_start, user_id, COUNT(*) AS n, SUM(CAST(amount AS BIGINT)) AS total
FROM TUMBLE(TABLE users, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
GROUP BY window_start, window_end, user_id;
