"""The workloads: what they ask, their input, their result. Oriel's queries are the files of bench/queries/."""

GAP_S = 120

COLUMNS = {
    'orders': 'order_id BIGINT, shop VARCHAR, amount INTEGER, ts TIMESTAMP',
    'users': 'order_id BIGINT, user_id BIGINT, amount INTEGER, ts TIMESTAMP',
}
TOTALS = 'w TIMESTAMP, shop VARCHAR, n BIGINT, total BIGINT'


def columns_of(table):
    return COLUMNS['users' if table == 'users' else 'orders']


class Workload:
    """inputs: {table: stem of its file}; columns: of the result; tie_free: columns that ties do not touch (None: all)."""

    def __init__(self, title, query, columns, inputs=None, tie_free=None):
        self.title, self.query, self.columns, self.tie_free = title, query, columns, tie_free
        self.inputs = inputs or {'orders': 'orders'}


WORKLOADS = {
    'W1': Workload('TUMBLE 10 min, by shop', 'tumble', TOTALS),
    'W2': Workload('HOP 5/60 min, by shop', 'hop', TOTALS),
    'W3': Workload('HOP 1 min/1 day, no key', 'hop_day', 'w TIMESTAMP, n BIGINT, total BIGINT'),
    'W4': Workload('CUMULATE 10 min/1 day, by shop', 'cumulate', 'w TIMESTAMP, w_end TIMESTAMP, shop VARCHAR, total BIGINT'),
    'W5': Workload('SESSION 120 s, by shop', 'session', 'shop VARCHAR, n BIGINT, a TIMESTAMP, b TIMESTAMP'),
    'W6': Workload('top 3 of 30 min', 'top', 'w TIMESTAMP, r BIGINT, order_id BIGINT, shop VARCHAR, amount INTEGER, ts TIMESTAMP', tie_free=['w', 'r', 'amount']),
    'W7': Workload('TUMBLE 10 min, by 5 M users', 'tumble_users', 'w TIMESTAMP, user_id BIGINT, n BIGINT, total BIGINT', {'users': 'users'}),
    'W8d': Workload('W1, rows within +-1 h', 'tumble', TOTALS, {'orders': 'disordered'}),
    'W8s': Workload('W1, shuffled', 'tumble', TOTALS, {'orders': 'shuffled'}),
    'W9': Workload('last row of 10 min, by shop', 'last', 'w TIMESTAMP, shop VARCHAR, order_id BIGINT, amount INTEGER, ts TIMESTAMP', tie_free=['w', 'shop', 'ts']),
    'W10': Workload('W1 of odd rows JOIN W1 of even rows', 'join', 'w TIMESTAMP, shop VARCHAR, n1 BIGINT, total1 BIGINT, n2 BIGINT, total2 BIGINT', {'odd': 'odd', 'even': 'even'}),
}
