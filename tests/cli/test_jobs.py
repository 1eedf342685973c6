"""Jobs that were written for a cluster: files in the place of their connectors."""
import os
import unittest

from command import CommandTest, create_table

JOB = '''CREATE TABLE orders (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  part INT METADATA FROM 'partition' VIRTUAL, WATERMARK FOR ts AS ts)
  WITH ('connector' = 'kafka', 'topic' = 'orders', 'format' = 'avro', 'scan.startup.mode' = 'latest-offset');
CREATE TABLE totals (window_start TIMESTAMP(3), shop STRING, total INT)
  WITH ('connector' = 'jdbc', 'url' = 'jdbc:x', 'table-name' = 'totals');
INSERT INTO totals SELECT window_start, shop, SUM(amount)
  FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, shop;
'''
TOTALS = '"2024-01-01 09:00:00",busan,20\n"2024-01-01 09:00:00",seoul,10\n"2024-01-01 09:10:00",,40\n"2024-01-01 09:10:00",seoul,30\n'


class JobsTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write('job.sql', JOB)

    def test_files_take_the_place_of_connectors(self):
        errors = self.run_program('-f', 'job.sql', '--source', 'orders=orders.csv', '--sink=totals=totals.csv')[1]
        self.assertEqual(errors, 'note: inserted 4 rows\n')
        self.assertEqual(self.read('totals.csv'), TOTALS)

    def test_folders(self):
        os.mkdir(self.path('in'))
        self.write('in/a.csv', '1,seoul,10,2024-01-01 09:01:00\n')
        self.write('in/b.csv', '2,busan,20,2024-01-01 09:04:00\n')
        self.write('job.sql', JOB.replace("'avro'", "'csv', 'csv.field-delimiter' = ','"))
        self.run_program('-f', 'job.sql', '--source', 'orders=in', '--sink', 'totals=out.csv')
        self.assertEqual(self.read('out.csv'), '"2024-01-01 09:00:00",busan,20\n"2024-01-01 09:00:00",seoul,10\n')

    def test_the_name_may_have_its_database(self):
        self.run_program('-f', 'job.sql', '--source', 'default_database.orders=orders.csv',
                         '--sink', 'default_catalog.default_database.totals=totals.csv')
        self.assertEqual(self.read('totals.csv'), TOTALS)

    def test_options_of_the_format_count(self):
        self.write('s.csv', '7;x\n8;-\n')
        text = create_table('t', 'a INT, b STRING', 'none.csv', ", 'csv.field-delimiter' = ';', 'csv.null-literal' = '-'")
        self.assertEqual(self.output_of('--source', 't=s.csv', '--format', 'json', '-e', text + 'SELECT * FROM t'),
                         '{"a":7,"b":"x"}\n{"a":8,"b":null}\n')
        text = text.replace("'filesystem'", "'kafka'").replace("'format'", "'value.format'").replace("'csv.", "'value.csv.")
        self.assertEqual(self.output_of('--source', 't=s.csv', '--format', 'json', '-e', text + 'SELECT * FROM t'),
                         '{"a":7,"b":"x"}\n{"a":8,"b":null}\n')

    def test_what_the_job_lacks(self):
        for arguments, words in [
                ([], "--sink totals=FILE"),
                (['--sink', 'totals=t.csv'], "--source orders=FILE"),
                (['--sink', 'totals=t.csv', '--source', 'orders=none.csv'], 'none.csv'),
                (['--sink', 'totals=t.csv', '--source', 'orders=orders.dat'], "ends in none of .csv"),
                (['--sink', 'totals=t.csv', '--source', 'orders=t.csv'], 't.csv')]:
            output, errors = self.run_program('-f', 'job.sql', *arguments, status=1)
            self.assertEqual(output, '')
            self.assertRegex(errors, r'^job\.sql:\d+:\d+: error: ')
            self.assertIn(words, errors)
        self.assertNotIn('t.csv', self.names())

    def test_metadata_of_other_connectors_needs_names(self):
        errors = self.run_program('-f', 'job.sql', '-e', 'SELECT part FROM orders', '--source', 'orders=orders.csv',
                                  '--sink', 'totals=t.csv', status=1)[1]
        self.assertRegex(errors, r"job\.sql:2:3: error: column 'part' is the metadata 'partition' of the connector 'kafka'")

    def test_metadata_by_name(self):
        self.write('in.jsonl', '{"id":1,"shop":"a","amount":5,"ts":"2024-01-01 09:01:00","part":7}\n{"id":2,"shop":"b","amount":5,"ts":"2024-01-01 09:02:00"}\n')
        self.assertEqual(self.run_program('-f', 'job.sql', '-e', 'SELECT id, part FROM orders', '--source', 'orders=in.jsonl', '--sink', 'totals=t.csv', '--format', 'csv')[0],
                         'id,part\n1,7\n2,\n')
        text = "CREATE TABLE o (a INT, ts TIMESTAMP(3) METADATA FROM 'timestamp', v INT METADATA VIRTUAL) WITH ('connector' = 'kafka'); INSERT INTO o VALUES (1, TIMESTAMP '2024-01-01 00:00:00');"
        self.run_program('--sink', 'o=o.json', '-e', text)
        self.assertEqual(self.read('o.json'), '{"a":1,"ts":"2024-01-01 00:00:00"}\n')
        errors = self.run_program('-e', text.replace('kafka', 'print'), status=1)[1]
        self.assertIn('persistable metadata', errors)

    def test_what_a_cluster_needs_is_passed_over(self):
        text = """SET 'execution.checkpointing.interval' = '1 min'; SET 'table.exec.state.ttl' = '1 d'; ADD JAR '/x/y.jar'; LOAD MODULE hive;
            CREATE CATALOG h WITH ('type' = 'hive', 'default-database' = 'sales'); USE CATALOG h;
            CREATE TABLE orders (id BIGINT, shop STRING, amount INT, ts STRING) WITH ('connector' = 'kafka');
            SELECT /*+ STATE_TTL('orders' = '1d') */ id FROM h.sales.orders /*+ OPTIONS('scan.startup.mode' = 'latest-offset') */ WHERE amount = 30;
            SHOW CURRENT DATABASE;"""
        expected = 'id\n3\n\ncurrent database name\nsales\n'
        self.assertEqual(self.output_of('--format', 'csv', '--source', 'orders=orders.csv', '-e', text), expected)
        output, errors = self.run_program('--verbose', '--format', 'csv', '--source', 'orders=orders.csv', '-e', text)
        self.assertEqual(output, expected)
        self.assertEqual([line for line in errors.split('\n') if line.startswith('note: ')],
                         ["note: the setting 'execution.checkpointing.interval' changes nothing here", "note: the setting 'table.exec.state.ttl' changes nothing here",
                          'note: ADD JAR changes nothing here', 'note: LOAD MODULE changes nothing here',
                          "note: the catalog 'h' is empty: tables that it has elsewhere are not there", 'note: the hint STATE_TTL changes nothing here'])

    def test_lists(self):
        text = "CREATE VIEW ab AS SELECT 1 AS x, 2 AS y; CREATE VIEW AC AS SELECT 1 AS x; "
        for show, expected in [("SHOW TABLES LIKE 'a%'", 'table name\nab\n'), ("SHOW VIEWS ILIKE 'A_'", 'view name\nAC\nab\n'),
                               ("SHOW TABLES NOT LIKE '%b'", 'table name\nAC\n'), ("SHOW FUNCTIONS LIKE 'to_timestamp%'", 'function name\nto_timestamp\nto_timestamp_ltz\n'),
                               ('SHOW JARS', 'jars\n'), ('SHOW USER FUNCTIONS', 'function name\n'), ("SHOW COLUMNS FROM ab LIKE 'y'", 'name,type,null,key,extras,watermark\ny,INT,FALSE,,,\n')]:
            self.assertEqual(self.output_of('--format', 'csv', '-e', text + show), expected)

    def test_changelogs_are_refused_by_name(self):
        for connector, format in [('upsert-kafka', 'csv'), ('kafka', 'debezium-json'), ('kafka', 'canal-json')]:
            text = "CREATE TABLE t (a INT) WITH ('connector' = '%s', 'format' = '%s'); SELECT * FROM t" % (connector, format)
            errors = self.run_program('--source', 't=x.json', '-e', text, status=1)[1]
            self.assertIn(connector if connector != 'kafka' else format, errors)
            self.assertIn('changelog', errors)

    def test_wrong_names_are_told_before_anything_runs(self):
        for arguments, words in [
                (['--source', 'order=orders.csv'], "there is no table 'order' for the source orders.csv: no CREATE TABLE has this name; did you mean 'orders'?"),
                (['--sink', 'nothing=x.csv'], "there is no table 'nothing' for the sink x.csv"),
                (['--source', 'v=orders.csv'], "the source 'v' is a view"),
                (['--source', 'orders=a', '--source', 'orders=b'], 'two sources'),
                (['--source', 'orders'], 'NAME=PATH'), (['--source', '=x'], 'NAME=PATH'), (['--sink', 'x='], 'NAME=PATH')]:
            output, errors = self.run_program('-e', 'CREATE VIEW v AS SELECT 1 AS x; SELECT 1', '-f', 'job.sql', *arguments, status=2)
            self.assertEqual(output, '')
            self.assertIn(words, errors)


if __name__ == '__main__':
    unittest.main()
