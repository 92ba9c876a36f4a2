#!/usr/bin/env python3
"""Runs a program on a terminal of its own and prints its exit code; a program that hangs is killed.

    python3 tests/terminal.py SECONDS PROGRAM ARGUMENT…
"""

import os
import pty
import select
import signal
import sys
import time


def main():
    seconds, command = float(sys.argv[1]), sys.argv[2:]
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], command)
    end = time.monotonic() + seconds
    shown = b""
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.1)
        if not ready:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:
            part = b""
        if not part:
            _, status = os.waitpid(child, 0)
            sys.stdout.buffer.write(shown)
            print(f"\nexit {os.waitstatus_to_exitcode(status)}")
            return
        shown += part
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    sys.stdout.buffer.write(shown)
    print("\nhangs")


main()
