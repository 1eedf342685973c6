-- New users: who entered the house and opened an auction within the same 10 seconds?
CREATE TABLE person (
  id BIGINT,
  name STRING,
  emailAddress STRING,
  creditCard STRING,
  city STRING,
  state STRING,
  `dateTime` TIMESTAMP(3),
  extra STRING,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'data/person.csv', 'format' = 'csv');
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

SELECT p.id, p.name, p.window_start, p.window_end
FROM (
  SELECT window_start, window_end, id, name
  FROM TUMBLE(TABLE person, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND)
  GROUP BY window_start, window_end, id, name
) AS p
JOIN (
  SELECT window_start, window_end, seller
  FROM TUMBLE(TABLE auction, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND)
  GROUP BY window_start, window_end, seller
) AS a ON p.window_start = a.window_start AND p.window_end = a.window_end AND p.id = a.seller;
