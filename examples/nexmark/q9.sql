-- Winning bids: the highest bid of each auction while it was open, the earliest of equals.
CREATE TABLE auction (
  id BIGINT,
  itemName STRING,
  description STRING,
  initialBid BIGINT,
  reserve BIGINT,
  `dateTime` TIMESTAMP(3),
  expires TIMESTAMP(3),
  seller BIGINT,
  category BIGINT,
  extra STRING,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/auction.csv', 'format' = 'csv');
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

SELECT id, itemName, description, initialBid, reserve, `dateTime`, expires, seller, category, extra,
  bidder, price, bid_time, bid_extra
FROM (
  SELECT a.*, b.bidder, b.price, b.`dateTime` AS bid_time, b.extra AS bid_extra,
    ROW_NUMBER() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.`dateTime`) AS place
  FROM auction AS a
  JOIN bid AS b ON b.auction = a.id
  WHERE b.`dateTime` BETWEEN a.`dateTime` AND a.expires
)
WHERE place = 1;
