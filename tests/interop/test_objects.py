#!/usr/bin/env python3
"""Files in an object store: a small S3 server on this machine, reached through Arrow's file systems."""
import gzip
import http.server
import os
import threading
import unittest
import urllib.parse
import xml.sax.saxutils

from files_case import FilesTest, pa


class Store(http.server.BaseHTTPRequestHandler):
    """What reading asks of S3: objects, whole or in part, and the names below a prefix."""
    protocol_version = 'HTTP/1.1'
    objects = {}
    reads = []  # (key, bytes)

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b'', headers=(), length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header('Content-Length', str(len(body) if length is None else length))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        bucket, _, key = urllib.parse.unquote(url.path).lstrip('/').partition('/')
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        if bucket != 'lake':
            return self.answer(404, b'<Error><Code>NoSuchBucket</Code><Message>no such bucket</Message></Error>')
        if not key:
            return self.list(query) if self.command == 'GET' else self.answer(200)
        if key not in self.objects:
            return self.answer(404, b'<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>')
        data = self.objects[key]
        headers = [('ETag', '"1"'), ('Last-Modified', 'Mon, 01 Jan 2024 00:00:00 GMT')]
        wanted = self.headers.get('Range')
        if self.command == 'HEAD':
            return self.answer(200, headers=headers, length=len(data))
        if not wanted:
            self.reads.append((key, len(data)))
            return self.answer(200, data, headers)
        first, last = wanted.split('=')[1].split('-')
        part = data[int(first):int(last) + 1]
        self.reads.append((key, len(part)))
        return self.answer(206, part, headers + [('Content-Range', 'bytes %s-%d/%d' % (first, int(first) + len(part) - 1, len(data)))])

    do_HEAD = do_GET

    def list(self, query):
        prefix = query.get('prefix', '')
        names = [name for name in sorted(self.objects) if name.startswith(prefix)][:int(query.get('max-keys', 1000))]
        items = ''.join('<Contents><Key>%s</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified><ETag>"1"</ETag><Size>%d</Size></Contents>'
                        % (xml.sax.saxutils.escape(name), len(self.objects[name])) for name in names)
        body = '<?xml version="1.0"?><ListBucketResult><Name>lake</Name><Prefix>%s</Prefix><KeyCount>%d</KeyCount><IsTruncated>false</IsTruncated>%s</ListBucketResult>' % (
            xml.sax.saxutils.escape(prefix), len(names), items)
        self.answer(200, body.encode(), [('Content-Type', 'application/xml')])


class ObjectsTest(FilesTest):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Store)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.options = '?scheme=http&endpoint_override=127.0.0.1:%d&region=us-east-1' % cls.server.server_address[1]
        os.environ.update(AWS_ACCESS_KEY_ID='key', AWS_SECRET_ACCESS_KEY='secret', AWS_EC2_METADATA_DISABLED='true', AWS_CONFIG_FILE='/dev/null')

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        super().setUp()
        Store.objects.clear()
        Store.reads.clear()

    def put(self, key, data):
        Store.objects[key] = data if isinstance(data, bytes) else data.encode()

    def put_table(self, key, table, **options):
        name = key.replace('/', '_')
        self.write(name, table, **options)
        with open(self.path(name), 'rb') as file:
            self.put(key, file.read())

    def uri(self, key):
        return 's3://lake/%s%s' % (key, self.options)

    def test_parquet_and_arrow(self):
        table = pa.table({'n': pa.array(range(50000), pa.int64()), 's': ['text %d' % (i % 100) for i in range(50000)], 'x': [i * 0.5 for i in range(50000)]})
        for key in ('a/x.parquet', 'a/x.arrow'):
            self.put_table(key, table, rows=5000)
            for threads in ('1', '2'):
                self.assertEqual(self.csv("SELECT COUNT(*), SUM(n), MAX(s) FROM '%s'" % self.uri(key), '--threads', threads), '50000,1249975000,text 99\n')

    def test_only_wanted_columns_are_fetched(self):
        self.put_table('x.parquet', pa.table({'n': pa.array(range(200000), pa.int64()), 'm': pa.array([i * 7919 % 1000003 for i in range(200000)], pa.int64())}), rows=50000)
        self.assertEqual(self.csv("SELECT COUNT(n) FROM '%s'" % self.uri('x.parquet')), '200000\n')
        self.assertLess(sum(size for _, size in Store.reads), len(Store.objects['x.parquet']) * 3 // 4)

    def test_csv_and_json(self):
        rows = ''.join('%d,shop %d\n' % (i, i % 7) for i in range(60000))
        self.put('d/a.csv', rows)
        self.put('d/b.csv.gz', gzip.compress(rows.encode()))
        self.put('d/_hidden.csv', 'broken')
        self.put('e.json', '{"v":1}\n{"v":2}\n')
        create = "CREATE TABLE t (n BIGINT, s STRING) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv'); SELECT COUNT(*), SUM(n), MAX(s) FROM t"
        one = '60000,1799970000,shop 6\n'
        self.assertEqual(self.csv(create % self.uri('d/a.csv')), one)
        self.assertEqual(self.csv(create % self.uri('d/b.csv.gz')), one)
        self.assertEqual(self.csv(create % self.uri('d')), '120000,3599940000,shop 6\n')
        self.assertEqual(self.csv("SELECT SUM(v) FROM '%s'" % self.uri('e.json')), '3\n')
        self.put('h.csv', 'id,s\n1,a\n2,b\n')
        self.assertEqual(self.csv("SELECT SUM(id) FROM '%s'" % self.uri('h.csv').replace('s3:', 's3a:')), '3\n')

    def test_patterns_and_folders(self):
        for day in (1, 2, 3):
            for hour in (1, 2):
                self.put('l/dt=2026-03-0%d/h=%d/x.csv' % (day, hour), '%d\n' % (day * 10 + hour))
        create = "CREATE TABLE t (n INT, dt STRING, h INT) PARTITIONED BY (dt, h) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv'); "
        self.assertEqual(self.csv(create % self.uri('l') + "SELECT n, dt, h FROM t WHERE dt > '2026-03-01' AND h = 1"), '21,2026-03-02,1\n31,2026-03-03,1\n')
        self.assertEqual({key for key, _ in Store.reads}, {'l/dt=2026-03-02/h=1/x.csv', 'l/dt=2026-03-03/h=1/x.csv'})
        self.assertEqual(self.csv(create % self.uri('l/**/h=2/*.csv') + 'SELECT n FROM t'), '12\n22\n32\n')
        self.assertEqual(self.csv(create % self.uri('l/dt=2026-03-0[12]') + 'SELECT COUNT(*) FROM t'), '4\n')
        self.assertIn('no file matches', self.run_sql(create % self.uri('l/*.json') + 'SELECT n FROM t', status=1))

    def test_names(self):
        self.put('q/a b%c.csv', '1\n')
        create = "CREATE TABLE t (n INT, f STRING METADATA FROM 'file.name') WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv'); SELECT n, f FROM t"
        self.assertEqual(self.csv(create % self.uri('q')), '1,a%20b%25c.csv\n')

    def test_what_is_not_there(self):
        self.put('x.csv', '1\n')
        for uri, word in ((self.uri('none.csv'), 'does not exist'), (self.uri('x.csv').replace('lake', 'sea'), 'cannot read'), ('abfs://c@a/x.csv', 'on a file system that Oriel does not have')):
            self.assertIn(word, self.run_sql("CREATE TABLE t (n INT) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv'); SELECT n FROM t" % uri, status=1))
        self.assertIn('file system', self.run_sql("CREATE TABLE t (n INT) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv'); INSERT INTO t VALUES (1)" % self.uri('o'), status=1))

    def test_damage(self):
        self.put('x.parquet', b'PAR1' + b'x' * 100 + b'PAR1')
        self.assertIn('is no Parquet file, or a damaged one', self.run_sql("SELECT * FROM '%s'" % self.uri('x.parquet'), status=1))


if __name__ == '__main__':
    unittest.main()
