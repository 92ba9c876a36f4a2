#!/usr/bin/env python3
"""Runs kashi on every file of a folder of samples and recomputes each result without it; prints a Markdown table.

    python3 tests/samples.py SAMPLES                 # SAMPLES/bills and SAMPLES/usage; --kashi target/debug/kashi

Run by hand: the samples are public files that are not part of this repository. What each file comes to is worked
out here from its own columns with Python's csv, json, xml and decimal; nothing of kashi is used for it. Ends with
exit code 1 where the two differ, or where a file ends neither in a result nor in an error that says what to do.
"""

import argparse
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from statistics import median_high

MICRO = timedelta(microseconds=1)


def text_of(file):
    raw = file.read_bytes()
    return raw.decode("utf-16") if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else raw.decode("utf-8-sig")


def number(text):
    """A decimal, whatever is written around it; binary noise is rounded at the ledger's 18th place."""
    value = Decimal(re.sub(r"[^0-9.eE+-]", "", str(text)) or "0")
    return value.quantize(Decimal(1).scaleb(-18)) if value.as_tuple().exponent < -18 else value


# --- bills ------------------------------------------------------------------------------------------------------

# Header → (column of the amount, column of the currency or the currency itself).
COLUMNS = [
    ("应付信息/应付金额（含税）", "定价信息/定价币种"), ("lineItem/UnblendedCost", "lineItem/CurrencyCode"), ("cost/myCost", "cost/currencyCode"),
    ("BilledCost", "BillingCurrency"), ("CostInBillingCurrency", "BillingCurrencyCode"), ("CostInBillingCurrency", "BillingCurrency"),
    ("Cost", "BillingCurrencyCode"), ("Cost", "BillingCurrency"), ("USD", "=USD"),
]


def rows_of(file):
    header, *rows = csv.reader(io.StringIO(text_of(file)))
    return [dict(zip(header, row)) for row in rows if row]


def summed(rows):
    """The sum of a bill's rows by currency, from the first pair of columns that it has."""
    if not rows:
        return {}
    if "credits" in rows[0]:
        # Google prints what it deducts in a list; cost and credits are apart.
        return {"USD": sum(number(r["cost"]) + sum(map(number, re.findall(r"'amount': ([-0-9.e]+)", r["credits"]))) for r in rows)}
    pairs = [(amount, currency) for amount, currency in COLUMNS if amount in rows[0] and (currency[0] == "=" or currency in rows[0])]
    if not pairs:
        return None
    (amount, currency), sums = pairs[0], defaultdict(Decimal)
    for row in rows:
        sums[currency[1:] if currency[0] == "=" else row[currency]] += number(row[amount])
    return dict(sums)


def summed_json(file):
    data = json.loads(text_of(file), parse_float=Decimal)
    if isinstance(data, list):
        return {"USD": sum((number(record["amount"]) for record in data), Decimal(0))}
    if "Items" in data:
        return {"CNY": sum((number(item["Amount"]) for item in data["Items"]), Decimal(0))}
    if "records" in data:
        return {"USD": sum((number(record["totalAmount"]) for record in data["records"]), Decimal(0))}
    # What is paid in is no charge.
    return {"USD": sum((number(r["amount"]) for r in data["results"] if r["type"] != "credit"), Decimal(0))}


def bill(kashi, file):
    ended = subprocess.run([kashi, "ledger", file, "--totals"], capture_output=True, text=True)
    if ended.returncode:
        return refused(ended.stderr)
    sums, lines = defaultdict(Decimal), 0
    for row in csv.DictReader(io.StringIO(ended.stdout)):
        sums[row["currency"]] += Decimal(row["cost"])
        lines += int(row["lines"])
    claimed = re.search(r": (\S+), (\d+) rows, (\d+) lines", ended.stderr)
    theirs = summed_json(file) if file.suffix == ".json" else summed(rows_of(file))
    return claimed[1], claimed[3], spelled(sums), spelled(theirs), same(sums, theirs)


def spelled(sums):
    return "unknown columns" if sums is None else ", ".join(f"{cost.normalize():f} {currency}" for currency, cost in sorted(sums.items())) or "–"


def same(ours, theirs):
    return "equal" if theirs is not None and {c: v for c, v in ours.items() if v} == {c: v for c, v in theirs.items() if v} else "DIFFERENT"


# --- utilization ------------------------------------------------------------------------------------------------

FORMATS = ("%Y/%m/%d %H:%M:%S.%f", "%Y-%m-%d %H:%M:%S", "%m-%d-%Y %H:%M:%S", "%Y%m%d %H:%M:%S", "%a %b %d %H:%M:%S %Y")


def time(text):
    text = text.strip()
    if re.fullmatch(r"[0-9.]+", text):
        return datetime.fromtimestamp(0, timezone.utc) + timedelta(microseconds=int(Decimal(text) * 1_000_000))
    if text.endswith(" PDT"):
        return time(text[:-4]) + timedelta(hours=7)
    for form in FORMATS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=timezone.utc)
        except ValueError:
            continue
    raise ValueError(text)


def percent(text):
    """Utilization; `None` where it is not known."""
    found = re.fullmatch(r"\s*([0-9.]+)\s*%?\s*", text or "")
    return float(found[1]) if found else None


def samples(file):
    """Device, time and utilization of every sample, read by the file's own layout."""
    text = text_of(file)
    if file.suffix == ".xml":
        yield from samples_of_xml(text)
        return
    if text.startswith("#Date"):
        names = text.splitlines()[0].lstrip("#").split()
        for line in text.splitlines():
            cells = line.split()
            if cells and cells[0].isdigit():
                yield cells[2], time(f"{cells[0]} {cells[1]}"), percent(cells[names.index("sm")])
        return
    rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text)) if row]
    header = rows[0]
    if "machineId" in header:
        for row in rows[1:]:
            yield from ((f"{row[1]}/{n}", time(row[0]), percent(cell)) for n, cell in enumerate(row[2:10]))
        return
    column = {name.split(" [")[0].lower(): place for place, name in enumerate(header)}
    when = next(column[name] for name in ("timestamp", "timestamp_anon", "time") if name in column)
    device = next((column[n] for n in ("gpu_uuid", "uuid", "index", "index_gpu", "gpu", "container_ip") if n in column), None)
    util = next((column[n] for n in ("utilization.gpu", "gpu_utilization", "gpu_usage", "gfx_activity") if n in column), None)
    memory = next((column[n] for n in ("memory.used", "gpu_memory_used") if n in column), None)
    by_process, value = "pid" in column, column.get("value") if "duty" in file.name else None
    for row in rows[1:]:
        if row == header or (by_process and "time" in column and not row[column["time"]].startswith("0")):
            continue
        place = value if value is not None else util
        known = None if by_process or place is None else percent(row[place])
        # A card without a byte in use does no work, whatever its first reading after a pause says.
        if known and memory is not None and number(row[memory]) == 0:
            known = None
        yield row[device] if device is not None else "", time(row[when]), known


def samples_of_xml(text):
    log = xml.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", text))
    at = time(log.findtext("timestamp"))
    for card in log.iter("gpu"):
        uuid, slices = card.findtext("uuid"), card.findall("mig_devices/mig_device")
        yield uuid, at, percent(card.findtext("utilization/gpu_util"))
        yield from ((f"{uuid}/{n}", at, None) for n, _ in enumerate(slices))


def usual_steps(taken):
    """The usual step at each sample: the median of the first 64, then of one in sixteen of those that follow; four
    in a row beyond twice of it are a longer interval."""
    steps = [b[0] - a[0] for a, b in zip(taken, taken[1:])]
    first = [step for step in steps[:64] if step]
    usual = median_high(first) if first else timedelta(minutes=1)
    wide, kept, passed = [], [], 0
    for step in [*steps, None]:
        yield usual
        if not step:
            continue
        wide = [*wide, step] if step > 2 * usual else []
        if len(wide) == 4:
            usual, wide, kept = median_high(wide), [], []
        passed += 1
        if passed == 16:
            passed, kept = 0, [*kept, step]
        if len(kept) == 64:
            usual, kept = median_high(kept), []


def rolled(file):
    """Devices, hours and seconds observed: a known sample stands until the next, for two usual steps at most, and
    the last one for one."""
    by_device = defaultdict(list)
    for device, at, util in samples(file):
        by_device[device].append((at, util))
    hours, observed = set(), 0.0
    for device, taken in by_device.items():
        taken.sort(key=lambda sample: sample[0])
        for place, usual in enumerate(usual_steps(taken)):
            at, util = taken[place]
            step = taken[place + 1][0] - at if place + 1 < len(taken) else usual
            end = at + min(step, 2 * usual)
            last = max(at, end - MICRO)
            hour = at.replace(minute=0, second=0, microsecond=0)
            while hour <= last:
                hours.add((device, hour))
                hour += timedelta(hours=1)
            observed += (end - at).total_seconds() if util is not None else 0
    return len(by_device), len(hours), round(observed)


def log(kashi, file):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "hours.csv"
        fields = ["--fields", "timestamp,utilization.gpu,utilization.memory,memory.used,memory.total,temperature.gpu,power.draw"]
        command = [kashi, "usage", file, "--usage-zone", "UTC", "-o", out]
        ended = subprocess.run(command, capture_output=True, text=True)
        noted = ""
        if ended.returncode and "--fields" in ended.stderr:
            ended, noted = subprocess.run([*command, *fields], capture_output=True, text=True), " (told the columns with --fields)"
        if ended.returncode:
            return refused(ended.stderr)
        with open(out, encoding="utf-8-sig", newline="") as text:
            rows = list(csv.DictReader(text))
    claimed = re.search(r": ([^:]+), (\d+) samples?, (\d+) devices?", ended.stderr)
    ours = int(claimed[3]), len(rows), round(sum(float(row["observed_s"]) for row in rows))
    if noted:
        headed = Path(tempfile.mkdtemp()) / file.name
        headed.write_text(fields[1] + "\n" + text_of(file), encoding="utf-8")
        theirs = rolled(headed)
    else:
        theirs = rolled(file)
    # The usual step is a running one in kashi, that of the whole file here: gaps may weigh a little differently.
    close = ours[:2] == theirs[:2] and abs(ours[2] - theirs[2]) <= max(1, theirs[2] // 100)
    verdict = "equal" if ours == theirs else "equal to 1 %" if close else "DIFFERENT"
    return claimed[1] + noted, claimed[2], *("{} devices, {} hours, {:,} s".format(*r) for r in (ours, theirs)), verdict


# --- the table --------------------------------------------------------------------------------------------------


def refused(said):
    """The first line of an error; it must also say what to do."""
    first = said.splitlines()[0].removeprefix("error: ") if said else "no message"
    if first.endswith("values were refused"):
        first += ": " + said.splitlines()[1].split(", ", 1)[1]
    useful = any(line.strip().startswith("help: ") for line in said.splitlines())
    return f"error: {first[:150]}", "–", "–", "–", "says what to do" if useful else "NO HELP"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("samples", type=Path, metavar="SAMPLES")
    parser.add_argument("--kashi", type=Path, default=Path("target/debug/kashi"))
    args = parser.parse_args()
    wrong = 0
    for folder, judge, what in (("bills", bill, "total by currency"), ("usage", log, "roll-up")):
        print(f"\n## {folder}\n\n| file | claimed by, or error | lines or samples | {what} | recomputed | |\n|---|---|---:|---|---|---|")
        for file in sorted(path for path in (args.samples / folder).rglob("*") if path.is_file()):
            try:
                told = judge(args.kashi, file)
            except (ValueError, KeyError, StopIteration, IndexError) as error:
                told = ("?", "–", "–", f"not recomputed: {error!r}", "DIFFERENT")
            wrong += told[-1].isupper()
            cells = [str(file.relative_to(args.samples / folder)), *told]
            print("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |", flush=True)
    sys.exit(f"{wrong} files differ or give no help" if wrong else 0)


if __name__ == "__main__":
    main()
