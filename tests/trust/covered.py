# SPDX-License-Identifier: MIT
"""Which test programs run a line of engine/ or nodes/: who does not cannot notice a change there.

Each runs once in a build with gcov's counters, which go to a folder of its own below build/covered;
again when its program or the command is newer. Who takes longer than SECONDS may run anything."""
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
SECONDS = 60
FILTERS = {"test.docs.pages": "*s_are_current"}  # of nodes, options and rows; the others take minutes


def build():
    """Optimised: lines are counted before that, and without it tests take ten times as long."""
    configure = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                 "-DCMAKE_C_FLAGS=-O2", "-DTW_COVERAGE=ON", "-DTW_HARDEN=OFF"]
    for command in configure, ["cmake", "--build", BUILD]:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def folder_of(test):
    return os.path.join(COUNTERS, test)


def outcome_of(test):
    """The file that says whether it ended in time."""
    return os.path.join(folder_of(test), "outcome")


def is_current(test):
    outcome = outcome_of(test)
    programs = [os.path.join(BUILD, "thalweg"), os.path.join(BUILD, "tests", test)]
    return os.path.exists(outcome) and all(
        os.path.getmtime(program) < os.path.getmtime(outcome) for program in programs)


def environment_of(test, **others):
    names = {"THALWEG_TEST": FILTERS[test]} if test in FILTERS else {}
    return dict(os.environ, **names, **others)


def run(test):
    shutil.rmtree(folder_of(test), ignore_errors=True)
    os.makedirs(folder_of(test), exist_ok=True)
    environment, outcome = environment_of(test, GCOV_PREFIX=folder_of(test)), "ended"
    with subprocess.Popen([os.path.join(BUILD, "tests", test)], env=environment,
                          cwd=folder_of(test), start_new_session=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:  # commands that it started have left counters
            outcome = "late"
        with contextlib.suppress(ProcessLookupError):  # and what it started
            os.killpg(process.pid, signal.SIGKILL)
    with open(outcome_of(test), "w", encoding="utf-8") as file:
        file.write(outcome)


def collect(tests, jobs):
    build()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, [test for test in tests if not is_current(test)]))


def sources_in(notes, file):
    """What gcov says of the file, by the notes of an object and the counters beside them."""
    out = subprocess.run(["gcov", "-j", "-t", notes], capture_output=True, text=True, cwd=BUILD,
                         check=True).stdout
    return [source for line in out.splitlines() if line.startswith("{")
            for source in json.loads(line)["files"]
            if os.path.realpath(os.path.join(BUILD, source["file"])) == os.path.join(ROOT, file)]


@functools.lru_cache(maxsize=None)
def code_of(file, place):
    """The lines of its functions; a file of tables has none, and no counters."""
    lines = set()
    for source in sources_in(os.path.join(BUILD, os.path.splitext(place)[0] + ".gcno"), file):
        lines.update(line["line_number"] for line in source["lines"])
        for function in source["functions"]:
            lines.update(range(function["start_line"], function["end_line"] + 1))
    return lines


@functools.lru_cache(maxsize=None)
def lines_of(test, file, place):
    """How often the test has run each of the file's lines that have code; None when not known."""
    with open(outcome_of(test), encoding="utf-8") as outcome:
        if outcome.read() != "ended":
            return None
    counters = folder_of(test) + os.path.join(BUILD, os.path.splitext(place)[0] + ".gcda")
    notes = os.path.splitext(counters)[0] + ".gcno"
    if not os.path.exists(counters):
        return {}
    if not os.path.exists(notes):
        os.symlink(os.path.join(BUILD, os.path.splitext(place)[0] + ".gcno"), notes)
    counts = {}
    for source in sources_in(notes, file):
        for line in source["lines"]:
            number = line["line_number"]
            counts[number] = counts.get(number, 0) + line["count"]
    return counts


def runs(test, file, place, line):
    """Whether the test may run this line, or read it: a table may be read without any code of its
    file. The rest of a statement counts as run with any line of the file."""
    counts = lines_of(test, file, place)
    if counts is None or line not in code_of(file, place):
        return True
    if line in counts:
        return counts[line] > 0
    return any(counts.values())
