-- Hot items: the auctions with the most bids in the last 10 seconds, every 2 seconds.
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

CREATE VIEW bid_counts AS
SELECT window_start, window_end, auction, COUNT(*) AS bid_count
FROM HOP(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '2' SECOND, INTERVAL '10' SECOND)
GROUP BY window_start, window_end, auction;

SELECT c.window_start, c.window_end, c.auction, c.bid_count
FROM bid_counts AS c
JOIN (
  SELECT window_start, window_end, MAX(bid_count) AS most
  FROM bid_counts
  GROUP BY window_start, window_end
) AS m ON c.window_start = m.window_start AND c.window_end = m.window_end AND c.bid_count = m.most;
