"""A server on loopback that answers as Prometheus and what stands before it do on a bad day.

usage: prometheus_fake.py FOLDER

Prints one line of JSON: the port. Every request is appended to FOLDER/requests.jsonl. The first part
of the path says how it behaves; behind it is a fleet of two cards, sampled every 30 s, of which every
hour says the same: 3600 s observed, 1800 idle, 900 busy. It ends when its standard input is closed.

  steady    answers               busy      503 twice, then answers
  down      500 always            late      429 and Retry-After: 1 once, then answers
  cut       ends in the middle of its JSON once, then answers
  short     always does           hangup    says it sends more than it does, once
  partial   warns always, and the second card is missing in the second half of each answer
  hiccup    warns once            large     422 for more than 6 hours at once
  slow      503 timeout for more than 6 hours at once
  login     a page to log in      moved     302 to one
  token     401 unless the token is "right-horse"     forbidden 403
  lost      404 as a page         empty     holds nothing
  broken    400 as for a query that it does not understand
"""

import http.server
import json
import pathlib
import sys
import threading
import urllib.parse

FOLDER = pathlib.Path(sys.argv[1])
CARDS = [
    {"UUID": f"GPU-{n}0000000-0000-4000-8000-000000000000", "gpu": str(n), "modelName": "NVIDIA H20", "Hostname": "node-f", "job": "dcgm"}
    for n in (0, 1)
]
lock = threading.Lock()
asked = {}


def times(key):
    """How often this was asked, this time among them."""
    with lock:
        asked[key] = asked.get(key, 0) + 1
        return asked[key]


def value(query):
    """What the hour says; None if nothing. 120 steps: 60 idle, 30 busy, of which 15 full."""
    if query.startswith("count_over_time("):
        for condition, steps in ((" < 5", 60), (" >= 70", 30), (" >= 95", 15)):
            if condition + ")[1h" in query:
                return steps
        return 120
    if query.startswith("max by (job)"):
        return 120
    if query.startswith("avg_over_time("):
        return 30.25
    return 97 if query.startswith(("max_over_time(", "quantile_over_time(")) else 1


def matrix(query, start, end, partial):
    ends = list(range(start, end + 1, 3600))
    series = []
    for n, labels in enumerate(CARDS):
        shown = ends[: len(ends) // 2] if partial and n == 1 else ends
        if query.startswith("max by (job)"):
            labels = {"job": "dcgm"}
        elif "max by (" in query:
            labels = {"UUID": labels["UUID"]}
        if "job" not in labels or n == 0 or not query.startswith("max by (job)"):
            series.append({"metric": labels, "values": [[at, str(value(query))] for at in shown]})
    return {"resultType": "matrix", "result": series}


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="application/json", length=None, **headers):
        body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length or len(body)))
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = length is not None

    def refuse(self, status, kind, message, **headers):
        self.answer(status, json.dumps({"status": "error", "errorType": kind, "error": message}), **headers)

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        size = int(self.headers.get("Content-Length") or 0)
        url = urllib.parse.urlsplit(self.path)
        form = urllib.parse.parse_qs(url.query or self.rfile.read(size).decode())
        pairs = {name: values[0] for name, values in form.items()}
        with lock, open(FOLDER / "requests.jsonl", "a") as log:
            about = {"path": url.path, "pairs": pairs, "headers": {k.lower(): v for k, v in self.headers.items()}}
            log.write(json.dumps(about) + "\n")
        behaviour, path = url.path.lstrip("/").split("/", 1)
        start, end = int(pairs["start"]), int(pairs["end"])
        if path == "api/v1/label/__name__/values":
            data = [] if behaviour == "empty" else ["DCGM_FI_DEV_GPU_UTIL", "up"]
        else:
            data = matrix(pairs["query"], start, end, behaviour == "partial")
        right = {"status": "success", "data": data}
        hours = (end - start) // 3600 + 1
        ranged = path == "api/v1/query_range"
        page = "<!DOCTYPE html><html><body>Please log in</body></html>"

        if behaviour == "busy" and times(behaviour) <= 2:
            self.answer(503, "upstream is not ready", "text/plain")
        elif behaviour == "down":
            self.refuse(500, "internal", "the store is on fire")
        elif behaviour == "late" and times(behaviour) == 1:
            self.answer(429, "slow down", "text/plain", Retry_After="1")
        elif behaviour == "short" or behaviour == "cut" and times(behaviour) == 1:
            self.answer(200, json.dumps(right)[:-9])
        elif behaviour == "hangup" and times(behaviour) == 1:
            self.answer(200, json.dumps(right)[:-9], length=len(json.dumps(right)))
        elif behaviour == "partial" or behaviour == "hiccup" and times(behaviour) == 1:
            self.answer(200, json.dumps(right | {"warnings": ["No StoreAPIs matched for this query"]}))
        elif behaviour == "large" and ranged and hours > 6:
            self.refuse(422, "execution", "query processing would load too many samples into memory")
        elif behaviour == "slow" and ranged and hours > 6:
            self.refuse(503, "timeout", "query timed out in expression evaluation")
        elif behaviour == "login":
            self.answer(200, page, "text/html")
        elif behaviour == "moved":
            self.answer(302, "", "text/html", Location="https://sso.example.com/login?to=prometheus")
        elif behaviour == "token" and self.headers.get("Authorization") != "Bearer right-horse":
            self.answer(401, "Unauthorized", "text/plain")
        elif behaviour == "forbidden":
            self.answer(403, "no", "text/plain")
        elif behaviour == "lost":
            self.answer(404, page, "text/html")
        elif behaviour == "broken" and ranged:
            self.refuse(400, "bad_data", 'invalid parameter "query": unknown function with name "last_over_time"')
        else:
            self.answer(200, json.dumps(right))


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
