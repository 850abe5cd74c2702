# SPDX-License-Identifier: MIT
"""Which test programs run a line of engine/ or nodes/: who does not cannot notice a change there.

Each runs once in a build with gcov's counters, which go to a folder of its own below build/covered;
again when its program or the command is newer."""
import concurrent.futures
import contextlib
import functools
import json
import os
import shutil
import signal
import subprocess

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
COUNTERS = os.path.join(ROOT, "build", "covered")
BUILD = os.path.join(COUNTERS, "programs")
SECONDS = 60  # of a test; what a longer one runs is not known: everything


def build():
    """Optimised: lines are counted before that, and without it tests take ten times as long."""
    configure = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                 "-DCMAKE_C_FLAGS=-O2", "-DTW_COVERAGE=ON", "-DTW_HARDEN=OFF"]
    for command in configure, ["cmake", "--build", BUILD]:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def folder_of(test):
    return os.path.join(COUNTERS, test)


def is_current(test):
    done = os.path.join(folder_of(test), "done")
    programs = [os.path.join(BUILD, "thalweg"), os.path.join(BUILD, "tests", test)]
    return os.path.exists(done) and all(
        os.path.getmtime(program) < os.path.getmtime(done) for program in programs)


def run(test):
    shutil.rmtree(folder_of(test), ignore_errors=True)
    os.makedirs(folder_of(test), exist_ok=True)
    environment = dict(os.environ, GCOV_PREFIX=folder_of(test))
    with subprocess.Popen([os.path.join(BUILD, "tests", test)], env=environment,
                          cwd=folder_of(test), start_new_session=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            shutil.rmtree(folder_of(test) + BUILD, ignore_errors=True)
        with contextlib.suppress(ProcessLookupError):  # and what it started
            os.killpg(process.pid, signal.SIGKILL)
    with open(os.path.join(folder_of(test), "done"), "w", encoding="utf-8"):
        pass


def collect(tests, jobs):
    build()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, [test for test in tests if not is_current(test)]))


@functools.lru_cache(maxsize=None)
def lines_of(test, file, place):
    """How often the test has run each of the file's lines that have code; None when not known."""
    if not os.path.isdir(folder_of(test) + BUILD):
        return None
    counters = folder_of(test) + os.path.join(BUILD, os.path.splitext(place)[0] + ".gcda")
    notes = os.path.splitext(counters)[0] + ".gcno"
    if not os.path.exists(counters):
        return {}
    if not os.path.exists(notes):
        os.symlink(os.path.join(BUILD, os.path.splitext(place)[0] + ".gcno"), notes)
    out = subprocess.run(["gcov", "-j", "-t", notes], capture_output=True, text=True, cwd=BUILD,
                         check=True).stdout
    counts = {}
    for data in (json.loads(line) for line in out.splitlines() if line.startswith("{")):
        for source in data["files"]:
            if os.path.realpath(os.path.join(BUILD, source["file"])) == os.path.join(ROOT, file):
                for line in source["lines"]:
                    number = line["line_number"]
                    counts[number] = counts.get(number, 0) + line["count"]
    return counts


def runs(test, file, place, line):
    """Whether the test may run this line. Code that stands on no line of its own, a table or the
    rest of a statement, counts as run with any line of the file."""
    counts = lines_of(test, file, place)
    if counts is None:
        return True
    if line in counts:
        return counts[line] > 0
    return any(counts.values())
