-- Selection: the bids for every 123rd auction.
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

SELECT auction, price
FROM bid
WHERE MOD(auction, 123) = 0;
