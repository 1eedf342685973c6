-- Currency conversion: the price of each bid in euros.
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

SELECT auction, bidder, 0.908 * price AS price, `dateTime`, extra
FROM bid;
