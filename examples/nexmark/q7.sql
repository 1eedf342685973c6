-- Highest bids: those with the highest price of each 10 seconds.
CREATE TABLE bid (
  auction BIGINT,
  bidder BIGINT,
  price BIGINT,
  channel STRING,
  url STRING,
  `dateTime` TIMESTAMP(3),
  extra STRING,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/bid.csv', 'format' = 'csv');

SELECT b.window_end, b.auction, b.bidder, b.price, b.`dateTime`, b.extra
FROM (
  SELECT *
  FROM TUMBLE(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND)
) AS b
JOIN (
  SELECT window_start, window_end, MAX(price) AS highest
  FROM TUMBLE(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND)
  GROUP BY window_start, window_end
) AS m ON b.window_start = m.window_start AND b.window_end = m.window_end AND b.price = m.highest;
