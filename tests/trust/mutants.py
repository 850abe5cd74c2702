#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the fast tests notice a wrong operator or number? Changes one at a time (tests/trust/mutate.c),
compiles that object, links tests with it and runs them until one fails:

    tests/trust/mutants.py [--count N] [--seed N] [--jobs N] [FILE...]   200 of engine/ and nodes/
    tests/trust/mutants.py --at FILE:LINE:COLUMN                         this one
    tests/trust/mutants.py --sanitize --at FILE:LINE:COLUMN              by the tests of preset asan

Only tests that run the line are asked (covered.py; the first campaign finds that out, which takes
minutes). First those that know the file best: its own, of what includes its header, the contract and
settings of the nodes that it serves; then those of its family; then the rest. A test without an end
has noticed, too. The tree is not touched: all is in build/mutants, build/coverage and build/covered.

What reads or writes beside its memory may change no byte by luck, and die with --sanitize only,
which also runs those that equivalent.txt says are for asan.
A mutant whose object is that of the original is none, nor is one of a file for AVX-512 where the
processor has none. Those that were read and change no byte and
no message stand in tests/trust/equivalent.txt, with the reason; they are counted, not run. Whoever
survives besides is alive and is to be read. Exit code 1 when more than one in twenty is.
"""
import argparse
import concurrent.futures
import contextlib
import filecmp
import os
import random
import re
import resource
import signal
import subprocess
import sys

import covered

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.join(ROOT, "build", "mutants")
MUTANT = os.path.join(BUILD, "mutant")
EQUIVALENT = os.path.join(ROOT, "tests", "trust", "equivalent.txt")
OPTIONS = ["-DCMAKE_C_FLAGS=-O1", "-DTW_HARDEN=OFF"]
OBJECT = "mutant/mutant.o"
# Of a test, on a busy machine: a mutant that loops or waits is a failure.
PROCESSOR_SECONDS, SECONDS = 90, 120
# Of all nodes: with THALWEG_NODE only of those that a file serves.
OF_NODES = ["test.contract", "test.needs", "test.settings", "test.extremes", "test.combinations", "test.memory"]
# In reasons of equivalent.txt: no byte changes, but memory is used that is not the program's.
FOR_SANITIZERS = "for asan"
OF_TABLES = ["test.engine.node.rows"]
COMMAND_ROOMS = ["console", "session", "serve", "cli"]  # in no library: tests start the command
LATE = ["test.forecast", "test.properties"]
# Minutes each, or (locked graphs) nothing that the others do not see.
LEFT_OUT = re.compile(r"test\.(lines|resolution|directions|docs\.pictures|recipes|reach|"
                      r"borders|nodes\.erosion\.(borders|grid)|cli\.locked_graphs|scaling.*)$")


def use_sanitizers():
    """As the preset asan does; a build of its own."""
    global BUILD, MUTANT
    BUILD = os.path.join(ROOT, "build", "mutants-asan")
    MUTANT = os.path.join(BUILD, "mutant")
    OPTIONS.append("-DTW_SANITIZE=address,undefined,float-cast-overflow")
    os.environ["ASAN_OPTIONS"] = "allocator_may_return_null=1:quarantine_size_mb=16"


def shell(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, cwd=BUILD, **options)


def build():
    os.makedirs(MUTANT, exist_ok=True)
    original = os.path.join(MUTANT, "original")
    if os.path.exists(original):  # a campaign was killed
        os.replace(original, os.path.join(BUILD, "thalweg"))
    configure = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None"]
    for command in configure + OPTIONS, ["cmake", "--build", BUILD]:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stdout[-3000:] + done.stderr[-3000:])


def runs_here(file):
    """Whether the processor has what the file is for."""
    with open("/proc/cpuinfo", encoding="utf-8") as processors:
        return not file.endswith("_avx512.c") or "avx512f" in processors.read()


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True,
                            text=True, check=True)
    return listed.stdout.split()


class Sources:
    """Who includes whom, and which test programs there are."""

    def __init__(self):
        self.includers = {}
        for file in tracked("engine/*.[ch]", "nodes/*.[ch]", "tests/*.[ch]"):
            with open(os.path.join(ROOT, file), encoding="utf-8") as source:
                for header in re.findall(r'^#include "(.*)"', source.read(), re.M):
                    self.includers.setdefault(header, []).append(file)
        targets = shell("ninja", "-t", "targets", "all").stdout
        self.tests = sorted(re.findall(r"^tests/(test\.[^:/]*): .*EXECUTABLE", targets, re.M))

    def headers(self, file):
        """The header of a file; for part of a kernel those of its folder that it includes."""
        own = re.sub(r"^(engine|nodes)/(.*)\.c$", r"\2.h", file)
        if own in self.includers:
            return [own]
        return [header for header, files in self.includers.items()
                if file in files and os.path.dirname(header) == os.path.dirname(own)]

    def around(self, file):
        """Tests that include the file's headers, those of whoever does, and kinds of nodes that do."""
        seen, queue, tests, kinds = set(), self.headers(file), [], set()
        while queue:
            header = queue.pop(0)
            for user in self.includers.get(header, []):
                if user in seen:
                    continue
                seen.add(user)
                tests += self.test_of(user)
                if not user.startswith("nodes/"):
                    continue
                if user.endswith(".h"):
                    queue.append(user[len("nodes/"):])
                elif "/kernels/" in user or user.startswith("nodes/common/"):
                    queue += self.headers(user)
                else:
                    kinds.add(user[len("nodes/"):-2].replace("/", "."))
        return tests, kinds

    def test_of(self, file):
        if file.startswith("tests/"):
            name = re.sub(r"(^|/)test_", r"\1", file[len("tests/"):-2]).replace("/", ".")
            return [name for name in ["test." + name] if name in self.tests]
        ends = "." + os.path.basename(file)[:-2].removeprefix("cmd_")
        area = "test.nodes." if file.startswith("nodes/") else ("test.engine.", "test.cli.")
        return [name for name in self.tests if name.startswith(area) and name.endswith(ends)]

    def starters(self):
        """Tests that start the command."""
        users = self.includers["support/command.h"] + self.includers["support/gate.h"]
        return [name for file in users for name in self.test_of(file)]

    def plan(self, file, line):
        """Test programs that run the line, the likeliest to notice it first; the nodes."""
        around, kinds = self.around(file)
        top, folder = file.split("/")[:2]
        if top == "nodes" and "/kernels/" not in file and folder != "common":
            kinds.add(file[len("nodes/"):-2].replace("/", "."))
        family = [name for name in self.tests if name.startswith(f"test.{top}.{folder}.")]
        if top == "nodes":
            order = self.test_of(file) + around[:6] + OF_TABLES + OF_NODES + around + family
            order += ["test.docs.pages", "test.recipes"] + LATE
        else:
            cli = [name for name in self.tests if name.startswith("test.cli.")]
            engine = [name for name in self.tests if name.startswith("test.engine.")]
            order = self.test_of(file) + around + family
            if folder in COMMAND_ROOMS:  # the others start no command
                order += cli + self.starters() + ["test.docs.pages"]
            else:
                order += (cli + engine if folder == "gate" else engine + cli)
                order += ["test.docs.pages"] + OF_NODES + ["test.disk"]
        place = object_of(file)
        kept = self.kept()
        return [name for name in dict.fromkeys(order + kept) if name in kept and
                covered.runs(name, file, place, line)], sorted(kinds)

    def kept(self):
        return [name for name in self.tests
                if name == "test.recipes" or not LEFT_OUT.match(name)]


def link(target, out, place):
    """A program with the mutant in it instead of the object at `place`; False when there is none,
    as where the linker would take parts of tests/support that the test does without."""
    command = shell("ninja", "-t", "commands", target).stdout.splitlines()[-1]
    if f" {place} " in command:
        command = command.replace(f" {place} ", f" {OBJECT} ")
    else:  # before the archive that has the original
        command = command.replace(f" -o {target} ", f" -o {target} {OBJECT} ")
    done = shell("sh", "-c", command.replace(f" -o {target} ", f" -o {out} "))
    if done.returncode != 0:
        print(f"{target} cannot be linked with a mutant of {place}: left out", file=sys.stderr)
    return done.returncode == 0


def passes(program, test, kinds):
    """Whether it ends well, and in time."""
    environment = covered.environment_of(test)
    if kinds and test in OF_NODES + LATE:
        environment["THALWEG_NODE"] = ",".join(kinds)
    if kinds and test == "test.memory":  # each of their allocations; of other files a share
        environment |= {"THALWEG_TEST": "every_node*", "THALWEG_ALL_FAULTS": "1"}

    def bound():
        os.setsid()
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup has it ignored
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))

    with subprocess.Popen([program], cwd=MUTANT, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          preexec_fn=bound) as process:
        try:
            passed = process.wait(SECONDS) == 0
        except subprocess.TimeoutExpired:
            passed = False
        try:  # and what it started
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return passed


class Campaign:
    def __init__(self, jobs, sanitized):
        self.jobs, self.sanitized, self.sources = jobs, sanitized, Sources()
        self.sound, self.unsound = set(), set()  # tests that pass without a mutant, or do not
        self.equivalent = read_equivalent()
        self.counts = {"killed": 0, "equivalent": 0, "alive": 0}

    def passes_unchanged(self, test, kinds):
        key = (test, tuple(kinds))
        if key not in self.sound | self.unsound:
            good = passes(os.path.join(BUILD, "tests", test), test, kinds)
            (self.sound if good else self.unsound).add(key)
            if not good:
                print(f"{test} fails without a mutant, too: left out", file=sys.stderr)
        return key in self.sound

    def fails(self, file, place, test, kinds):
        program = os.path.join(BUILD, "tests", test)
        if file.split("/")[1] not in COMMAND_ROOMS:  # tests of the command start it
            program = os.path.join(MUTANT, test)
            if not link(f"tests/{test}", f"mutant/{test}", place):
                return False
        passed = passes(program, test, kinds)
        if program.startswith(MUTANT):
            os.remove(program)
        return not passed

    def first_to_fail(self, file, place, tests, kinds):
        """In their order, some at a time, since many tests of the command wait; else None."""
        with mutant_command(), concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            running = [(test, pool.submit(self.fails, file, place, test, kinds)) for test in tests]
            failed = next((test for test, done in running if done.result()), None)
            for _, done in running:
                done.cancel()
        return failed

    def killer(self, file, line, place):
        """The first test that fails, and because of the mutant, or None."""
        plan, kinds = self.sources.plan(file, line)
        if not link("thalweg", "mutant/thalweg", place):
            sys.exit("the command cannot be linked with a mutant")
        rest = plan[:1]  # its own: most die there
        while rest:
            failed = self.first_to_fail(file, place, rest, kinds)
            if failed and self.passes_unchanged(failed, kinds):
                return failed
            done = plan.index(failed or rest[-1]) + 1
            rest = plan[done:]
        return None

    def try_mutant(self, file, number, change):
        """Counts and reports it; False when it is none."""
        place = object_of(file)
        if not compile_mutant(file, place, number):
            return False
        name = f"{file}:{change.text}"
        reason = self.equivalent.get((file, change.line)) or reason_anywhere(change.line)
        if reason and not (self.sanitized and FOR_SANITIZERS in reason):
            self.count("equivalent", f"{name}: {reason}")
            return True
        killer = self.killer(file, change.number, place)
        self.count("killed" if killer else "alive", f"{name} by {killer}" if killer else name)
        return True

    def count(self, outcome, what):
        self.counts[outcome] += 1
        print(f"{outcome}: {what}", flush=True)


class Change:
    """One of those that mutate lists: "line:column: old -> new"."""

    def __init__(self, text, source):
        self.text = text
        line, column, what = text.split(":", 2)
        old, new = what.strip().split(" -> ")
        before, at = source[int(line) - 1], int(column) - 1
        self.number, self.place = int(line), f"{line}:{column}"
        self.line = (before[:at] + new + before[at + len(old):]).strip()


def changes_of(file):
    with open(os.path.join(ROOT, file), encoding="utf-8") as source:
        lines = source.read().split("\n")
    listed = shell("tests/mutate", os.path.join(ROOT, file), check=True).stdout
    return [Change(text, lines) for text in listed.splitlines()]


def rows_of_equivalent():
    """File, changed line and reason of each."""
    with open(EQUIVALENT, encoding="utf-8") as rows:
        return [row.rstrip("\n").split("\t") for row in rows if row.strip() and row[0] != "#"]


def reason_anywhere(line):
    """Of a changed line that changes nothing in whatever file it stands."""
    return next((reason for file, pattern, reason in rows_of_equivalent()
                 if file == "*" and re.search(pattern, line)), None)


def read_equivalent():
    """The reason of each file and changed line."""
    reasons = {(file, line): reason for file, line, reason in rows_of_equivalent() if file != "*"}
    for file in {file for file, _ in reasons}:
        possible = {change.line for change in changes_of(file)}
        for stale in [line for name, line in reasons if name == file and line not in possible]:
            print(f"no longer a mutant: {file}: {stale}", file=sys.stderr)
    return reasons


@contextlib.contextmanager
def mutant_command():
    """The tests start the mutant's command."""
    command, kept = os.path.join(BUILD, "thalweg"), os.path.join(MUTANT, "original")
    os.rename(command, kept)
    os.link(os.path.join(MUTANT, "thalweg"), command)
    try:
        yield
    finally:
        os.replace(kept, command)


def object_of(file):
    layer = "nodes" if file.startswith("nodes/") else file.split("/")[1]
    return f"CMakeFiles/tw_{layer}.dir/{file}.o"


def compile_mutant(file, place, number):
    """False when it does not compile, or to the same object: names of files are in it, too."""
    folder, name = os.path.split(f"{ROOT}/{file}")
    shell("tests/mutate", f"{folder}/{name}", str(number), f"mutant/{name}", check=True)
    command = shell("ninja", "-t", "commands", place).stdout.splitlines()[-1]
    command = command.replace(f" -o {place} ", f" -o {OBJECT} ")
    command = command.replace(f" -c {folder}/{name}", f" -I{folder} -c mutant/{name}"
                              f" -fmacro-prefix-map=mutant/={folder}/")
    done = shell("sh", "-c", command)
    return done.returncode == 0 and not filecmp.cmp(
        os.path.join(BUILD, OBJECT), os.path.join(BUILD, place), shallow=False)


def draw(places, count, seed, campaign):
    """Every place is as likely, and a seed repeats its mutants as long as the sources stay."""
    random.Random(seed).shuffle(places)
    for file, number, change in places:
        if sum(campaign.counts.values()) == count:
            break
        campaign.try_mutant(file, number, change)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--at", metavar="FILE:LINE:COLUMN")
    parser.add_argument("--sanitize", action="store_true", help="with sanitizers, in twice the time")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.sanitize:
        use_sanitizers()
    build()
    campaign = Campaign(options.jobs, options.sanitize)
    covered.collect(campaign.sources.kept(), options.jobs)
    files = [options.at.split(":")[0]] if options.at else options.files
    places = [(file, number, change) for file in files or tracked("engine/*.c", "nodes/*.c")
              if runs_here(file) for number, change in enumerate(changes_of(file))]
    if options.at:
        places = [place for place in places
                  if f"{place[0]}:{place[2].place}" == options.at]
    draw(places, options.count, options.seed, campaign)
    killed, alive = campaign.counts["killed"], campaign.counts["alive"]
    print(f"{killed} of {killed + alive} mutants that change bytes or messages killed; "
          f"{campaign.counts['equivalent']} equivalent; seed {options.seed}")
    sys.exit(20 * alive > killed + alive)


if __name__ == "__main__":
    main()
