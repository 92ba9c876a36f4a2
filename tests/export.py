"""Holds a Parquet ledger against the CSV ledger, with DuckDB on one side and Python's decimal on the other.

usage: export.py LEDGER.parquet LEDGER.csv
"""

import csv
import datetime
import decimal
import sys

import duckdb

decimal.getcontext().prec = 60
parquet, plain = sys.argv[1:]
data = duckdb.connect()
data.execute("SET TimeZone = 'UTC'")
table = f"read_parquet('{parquet}')"
types = dict(data.execute(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {table})").fetchall())
with open(plain, newline="", encoding="utf-8-sig") as file:
    lines = list(csv.DictReader(file))
assert list(types) == list(lines[0]), "the columns differ"
assert types["row"] == "UINTEGER" and types["start"] == "TIMESTAMP WITH TIME ZONE", types

for name, kind in types.items():
    values = [line[name] for line in lines]
    found = [value for (value,) in data.execute(f'SELECT "{name}" FROM {table}').fetchall()]
    for value, read in zip(values, found, strict=True):
        if read is None:
            same = value == ""
        elif kind == "DECIMAL(38,18)":
            same = value != "" and decimal.Decimal(value) == read
        elif kind == "TIMESTAMP WITH TIME ZONE":
            same = datetime.datetime.fromisoformat(value.replace("Z", "+00:00")) == read
        elif kind == "UINTEGER":
            same = int(value) == read
        else:
            # The CSV is guarded against formulas, the Parquet file is not.
            same = value in (read, "'" + read)
        assert same, (name, value, read)
    if kind == "DECIMAL(38,18)":
        (summed,) = data.execute(f'SELECT sum("{name}") FROM {table}').fetchone()
        exact = sum((decimal.Decimal(v) for v in values if v), decimal.Decimal(0))
        assert (summed or 0) == exact, (name, summed, exact)

print(f"{len(lines)} lines agree")
