"""A real Prometheus on loopback for the tests of `kashi usage --prometheus`.

usage: prometheus_server.py FOLDER

Back-fills a Prometheus with 28 hours of the series of a small fleet, starts it with TLS and a login
on a free port, saves what it holds raw as FOLDER/raw/<series>.json and prints one line of JSON: the
port. It ends when its standard input is closed. It needs `prometheus` and `promtool`.

The fleet, from 2026-09-01T22:00Z until 2026-09-03T02:00Z:
  a0  every 30 s; idle by day, busy by night, with a hole of 40 minutes, an hour without a sample,
      a scrape that failed, and one that gave a blank
  a1  every 30 s; its pod changes every 90 minutes, so that its series take turns
  a2  every 30 s, twice: two replicas of one Prometheus; in two slices of MIG besides
  b0  every 15 s, by another job
  e0  every 60 s, by nvidia_gpu_exporter
The login is "finance" / "correct horse".
"""

import base64
import json
import pathlib
import random
import socket
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import certificate

FOLDER = pathlib.Path(sys.argv[1])
FROM = 1_788_300_000  # 2026-09-01T22:00:00Z
HOURS = 28
UNTIL = FROM + HOURS * 3600
# bcrypt of the password
HASH = "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"
BLANK = 9223372036854775794

chance = random.Random(20260901)


def times(step, offset):
    """Every so many seconds, as punctual as a scrape is, from an hour before the first one on."""
    return [at + offset + chance.randrange(-15, 16) / 1000 for at in range(FROM - 3600, UNTIL + 3600, step)]


def load(at, card):
    """What a card does: an hour of nothing, one of work, one of both."""
    hour = int(at - FROM) // 3600 + card
    minute = int(at) % 3600 // 60
    if hour % 4 == 0:
        return 0
    if hour % 4 == 1:
        return chance.choice([96, 98, 99, 100])
    if hour % 4 == 2:
        return chance.choice([0, 2, 4]) if minute < 35 else chance.choice([72, 90, 97])
    return chance.randrange(0, 101)


def dcgm(host, gpu, job, **more):
    labels = {
        "gpu": str(gpu),
        "UUID": f"GPU-{host}000000-0000-4000-8000-00000000000{gpu}",
        "device": f"nvidia{gpu}",
        "modelName": "NVIDIA-A100-SXM4-80GB",
        "Hostname": f"node-{host}",
        "instance": f"10.0.0.{gpu}:9400",
        "job": job,
    }
    return labels | more


def fleet():
    """(series, labels, [(time, value)])"""
    hole = lambda at: 3 * 3600 + 600 <= at - FROM < 3 * 3600 + 3000 or 6 * 3600 <= at - FROM < 7 * 3600
    late = FROM + 9 * 3600 + 1800
    a0 = [at for at in times(30, 7.4) if not hole(at) and not late <= at < late + 30]
    blank = FROM + 10 * 3600 + 1200
    yield "DCGM_FI_DEV_GPU_UTIL", dcgm("a", 0, "dcgm"), [(t, BLANK if blank <= t < blank + 30 else load(t, 0)) for t in a0]
    yield "DCGM_FI_DEV_FB_USED", dcgm("a", 0, "dcgm"), [(t, 500 + 10 * load(t, 0)) for t in a0]
    yield "DCGM_FI_DEV_FB_FREE", dcgm("a", 0, "dcgm"), [(t, 80_000 - 10 * load(t, 0)) for t in a0]
    yield "DCGM_FI_DEV_POWER_USAGE", dcgm("a", 0, "dcgm"), [(t, 61.234 + 3 * load(t, 0)) for t in a0]

    a1 = [(t, load(t, 1)) for t in times(30, 21.9)]
    for turn in range(22):
        begin = FROM - 3600 + turn * 5400
        pod = {"pod": f"train-{turn}", "namespace": "lab" if turn % 2 else "shop"}
        yield "DCGM_FI_DEV_GPU_UTIL", dcgm("a", 1, "dcgm", **pod), [(t, v) for t, v in a1 if begin <= t < begin + 5400]

    a2 = [(t, load(t, 2)) for t in times(30, 3.3)]
    for replica in "xy":
        yield "DCGM_FI_DEV_GPU_UTIL", dcgm("a", 2, "dcgm", replica=replica), a2
    for slice in (1, 2):
        labels = dcgm("a", 2, "dcgm", GPU_I_ID=str(slice), GPU_I_PROFILE="3g.40gb")
        yield "DCGM_FI_PROF_GR_ENGINE_ACTIVE", labels, [(t, load(t, 2 + slice) / 100) for t in times(30, 3.3)]

    yield "DCGM_FI_DEV_GPU_UTIL", dcgm("b", 0, "dcgm-b"), [(t, load(t, 3)) for t in times(15, 11.0)]

    uuid, e0 = "6d1c2f0e-0b7a-4f7e-9d61-3a5e8c14b702", times(60, 41.5)
    smi = {"uuid": uuid, "instance": "node-e:9835", "job": "nvidia"}
    yield "nvidia_smi_gpu_info", smi | {"name": "NVIDIA L40S", "index": "0"}, [(t, 1) for t in e0]
    yield "nvidia_smi_utilization_gpu_ratio", smi, [(t, load(t, 1) / 100) for t in e0]
    yield "nvidia_smi_memory_used_bytes", smi, [(t, (1 + load(t, 1)) << 28) for t in e0]
    yield "nvidia_smi_memory_total_bytes", smi, [(t, 46068 << 20) for t in e0]
    yield "nvidia_smi_power_draw_watts", smi, [(t, 35.5 + load(t, 1)) for t in e0]


def back_fill(series):
    lines = []
    for name, labels, samples in series:
        shown = ",".join(f"{k}={json.dumps(v)}" for k, v in labels.items())
        lines += [f"{name}{{{shown}}} {value} {at:.3f}" for at, value in samples]
    (FOLDER / "series.om").write_text("\n".join(lines + ["# EOF", ""]))
    command = ["promtool", "tsdb", "create-blocks-from", "openmetrics", FOLDER / "series.om", FOLDER / "data"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def start(port):
    certificate.for_localhost(FOLDER)
    (FOLDER / "prometheus.yml").write_text("global: {}\n")
    tls = {"cert_file": "server.pem", "key_file": "server.pem"}
    (FOLDER / "web.yml").write_text(json.dumps({"tls_server_config": tls, "basic_auth_users": {"finance": HASH}}))
    return subprocess.Popen(
        [
            "prometheus",
            f"--config.file={FOLDER / 'prometheus.yml'}",
            f"--web.config.file={FOLDER / 'web.yml'}",
            f"--storage.tsdb.path={FOLDER / 'data'}",
            "--storage.tsdb.retention.time=3650d",
            f"--web.listen-address=127.0.0.1:{port}",
            "--log.level=warn",
        ],
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
    )


def get(port, path):
    login = base64.b64encode(b"finance:correct horse").decode()
    request = urllib.request.Request(f"https://localhost:{port}{path}", headers={"Authorization": f"Basic {login}"})
    trust = ssl.create_default_context(cafile=FOLDER / "ca.pem")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust))
    return opener.open(request, timeout=30).read()


def wait(port, server):
    for _ in range(300):
        try:
            get(port, "/-/ready")
            return
        except OSError:
            if server.poll() is not None:
                raise
            time.sleep(0.1)
    raise SystemExit("Prometheus did not become ready")


def main():
    series = list(fleet())
    back_fill(series)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = start(port)
    try:
        wait(port, server)
        (FOLDER / "raw").mkdir()
        for name in sorted({name for name, _, _ in series}):
            # An hour more on both sides, as logs mostly have: what the first hour begins with is of the one before.
            query = urllib.parse.urlencode({"query": f"{name}[{HOURS + 2}h]", "time": UNTIL + 3600})
            (FOLDER / "raw" / f"{name}.json").write_bytes(get(port, f"/api/v1/query?{query}"))
        print(json.dumps({"port": port}), flush=True)
        sys.stdin.read()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
