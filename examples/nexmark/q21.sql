-- The id of the channel of each bid: known for the big ones, in the address for the others.
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

SELECT *
FROM (
  SELECT auction, bidder, price, channel,
    CASE LOWER(channel)
      WHEN 'apple' THEN '0'
      WHEN 'google' THEN '1'
      WHEN 'facebook' THEN '2'
      WHEN 'baidu' THEN '3'
      ELSE REGEXP_EXTRACT(url, '[?&]channel_id=([0-9]+)', 1)
    END AS channel_id
  FROM bid
)
WHERE channel_id IS NOT NULL;
