CREATE TABLE nope.t (a INT) WITH ('connector'='filesystem','path'='data/x.csv','format'='csv');
