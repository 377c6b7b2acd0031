-- Expected: clauses of Hive, BigQuery, Snowflake and others.
CREATE EXTERNAL TABLE IF NOT EXISTS db.logs (
  ts timestamp COMMENT 'When',
  tags map<string, array<int>>,
  info struct<a: int, b: string>
) PARTITIONED BY (dt string) STORED AS PARQUET LOCATION 's3://x';
CREATE OR REPLACE TABLE `proj.data.events` (id INT64 NOT NULL OPTIONS(description="x, y"), s STRUCT<a INT64, b STRING>);
CREATE TABLE copy LIKE db.logs;
CREATE OR REPLACE FUNCTION js(x FLOAT64) RETURNS FLOAT64 LANGUAGE js AS """return x; // don't""";
CREATE TASK nightly WAREHOUSE = w SCHEDULE = '5 MINUTE' AS INSERT INTO t SELECT 1;
CREATE MACRO add(a, b) AS a + b;
CREATE DYNAMIC TABLE dyn TARGET_LAG = '1 minute' AS SELECT * FROM db.logs;
SELECT arr[1], m[OFFSET(0)] FROM db.logs;
