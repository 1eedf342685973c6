-- The average of the winning bids of each category. A bid counts while its auction is open.
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

SELECT category, AVG(final_price) AS average_price
FROM (
  SELECT a.id, a.category, MAX(b.price) AS final_price
  FROM auction AS a
  JOIN bid AS b ON b.auction = a.id
  WHERE b.`dateTime` >= a.`dateTime` AND b.`dateTime` <= a.expires
  GROUP BY a.id, a.category
)
GROUP BY category;
