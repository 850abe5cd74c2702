# SPDX-License-Identifier: MIT
"""Recipes and their results."""
from __future__ import annotations

import atexit
import collections
import contextlib
import ctypes as C
import os
import threading
import warnings
import weakref
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple

from . import _abi, _arrays, _given, _picture
from ._command import run_command
from ._errors import ThalwegWarning, UsageError, exception_of


class Port(NamedTuple):
    """An input or output: type as in recipes, and cells; lists have 0 x 0."""
    type: str
    width: int
    height: int


class Param(NamedTuple):
    """A parameter: texts, bounds (None without), the pair that authors try, the words that it may be (None unless one)."""
    value: str
    default: str
    about: str
    min: float | None
    max: float | None
    usual: tuple[float, float] | None
    words: list[str] | None


class NodeReport(NamedTuple):
    """What became of a node: `kept` if the cache answered it; `seconds` to compute it, now or then."""
    path: str
    type: str
    kept: bool
    seconds: float


class Report(NamedTuple):
    """What a run did; `nodes` lists those that the outputs needed, sources first."""
    computed: int
    kept: int
    seconds: float
    peak_bytes: int
    nodes: list[NodeReport]


POLL_SECONDS = 0.05  # how late a run in the main thread sees Ctrl-C where waiting cannot be interrupted


def cache_folder(cache):
    """The folder for `cache=`: None, a path, or True for that of the command."""
    if cache is None or cache is False:
        return None
    if cache is not True:
        return _given.path(cache, "cache")
    path = C.create_string_buffer(4096)
    if not _abi.cache_folder(path, len(path)):
        raise ValueError("there is no cache folder: neither XDG_CACHE_HOME nor HOME names a folder")
    return path.value


def _strings(encoded):
    return (C.c_char_p * (len(encoded) + 1))(*encoded, None)


def _list(read, struct, handle):
    i, item = 0, struct()
    while read(handle, i, C.byref(item)):
        yield item
        i, item = i + 1, struct()


def _warn(messages, stacklevel):
    for message in messages:
        warnings.warn(message, ThalwegWarning, stacklevel=stacklevel + 1)


class Result(collections.abc.Mapping):
    """The outputs of a run by name: read-only arrays that share the engine's memory, or dicts for records. Also as
    attributes. Arrays outlive the result and the recipe. `report` says what the run did."""
    report: Report

    def __init__(self, handle, names):
        owner = _arrays.Owner(handle)
        self._values = {}
        for name in names:
            value = _abi.result_output(handle, name.encode())
            if value:
                self._values[name] = _arrays.view(owner, value.contents)
        run = _abi.RunReport()
        _abi.result_report(handle, C.byref(run))
        nodes = [NodeReport(n.path.decode(), n.type.decode(), n.kept, n.seconds) for n in _list(_abi.result_node, _abi.NodeReport, handle)]
        self.report = Report(run.computed, run.kept, run.seconds, run.peak_bytes, nodes)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("_values", {})
        if name in values:
            return values[name]
        raise AttributeError(f"the run has no output '{name}'; it has {', '.join(values) or 'none'}")

    def __dir__(self):
        return [*super().__dir__(), *self._values]

    def __repr__(self):
        return "<thalweg.Result " + ", ".join(f"{name}: {_describe(value)}" for name, value in self._values.items()) + ">"

    def _repr_png_(self):
        return _picture.of_first(self._values.values())


def _describe(value):
    return f"record of {len(value)}" if isinstance(value, dict) else " x ".join(str(n) for n in value.shape[1::-1])


class Recipe:
    """A recipe, checked and ready to run, from a file or from `text`.

    size: cells along the side, or (width, height); seed: a number; both replace the recipe's. Parameters of the recipe
    are keywords, or members of `params` where their names clash with these. outputs: further outputs, named as recipes
    name them ("hills", "rivers.water"). allow: further folders to read files from. A recipe with `inputs:` is fed by
    feed() or run(). One thread at a time may use a recipe.
    """

    def __init__(self, path: _given.Path | None = None, *, text: str | bytes | bytearray | None = None, name: _given.Path = "recipe.yaml",
                 size: int | tuple[int, int] | None = None, seed: int | None = None, params: Mapping[str, Any] | None = None,
                 outputs: str | Iterable[str] = (), allow: _given.Path | Iterable[_given.Path] = (), **more: Any) -> None:
        if (path is None) == (text is None):
            raise TypeError("a recipe is either a path or text=")
        if not isinstance(text, (str, bytes, bytearray, type(None))):
            raise TypeError(f"text is of type {type(text).__name__}; expected str or bytes")
        self._settings = {"path": path, "text": text, "name": name, "size": size, "seed": seed, "allow": _given.several(allow)}
        self._params = {name: _given.parameter(value, name) for name, value in {**(params or {}), **more}.items()}
        self._lock, self._names = threading.Lock(), threading.Lock()  # of what uses the recipe, and of what lists it
        self._runner = None  # the thread that runs it
        self._lent = {}
        options, kept = self._options(outputs)
        faults, notes = [], []

        def diagnostic(_, is_fault, error, line):
            (faults if is_fault else notes).append(exception_of(error.contents))

        options.diagnostic = _abi.DIAGNOSTIC(diagnostic)
        handle, error = C.c_void_p(), _abi.Error()
        if text is not None:
            raw = text.encode() if isinstance(text, str) else bytes(text)
            status = _abi.recipe_parse(raw, len(raw), _given.path(name, "name"), options, handle, error)
        else:
            status = _abi.recipe_load(_given.path(path), options, handle, error)
        del kept
        if status:
            raise exception_of(error, faults)
        self._handle = handle.value
        weakref.finalize(self, _abi.recipe_release, self._handle).atexit = False  # threads may still run it then
        _warn(map(str, notes), 2)

    def _pairs(self):
        return [f"{name}={value}" for name, value in self._params.items()]

    def _options(self, outputs):
        """The options of loading, and what must live as long as they."""
        options, settings = _abi.LoadOptions(feeds=True), self._settings
        pairs = _strings([_given.text(pair, "a parameter") for pair in self._pairs()])
        further = _strings([_given.text(name, "outputs") for name in _given.several(outputs)])
        folders = _strings([_given.path(folder, "allow") for folder in settings["allow"]])
        for field, strings in (("set", pairs), ("outputs", further), ("allow", folders)):
            setattr(options, field, C.cast(strings, C.POINTER(C.c_char_p)))
        if settings["size"] is not None:
            options.width, options.height = _given.size(settings["size"])
        if settings["seed"] is not None:
            options.has_seed, options.seed = True, _given.whole(settings["seed"], "seed", 0, 2**64 - 1)
        return options, (pairs, further, folders)

    @contextlib.contextmanager
    def _used(self):
        """Uses the recipe alone; its own run cannot wait for itself."""
        if self._runner == threading.get_ident():
            raise RuntimeError("the recipe runs; progress() cannot run, set or feed it")
        with self._lock:
            yield

    # ---- what the recipe is ----

    def _ports(self, read):
        with self._names:
            return {p.name.decode(): Port(_arrays.NAMES[p.type], p.width, p.height) for p in _list(read, _abi.Port, self._handle)}

    @property
    def inputs(self) -> dict[str, Port]:
        """Inputs to feed, by name."""
        return self._ports(_abi.recipe_input)

    @property
    def outputs(self) -> dict[str, Port]:
        """Outputs by name."""
        return self._ports(_abi.recipe_output)

    @property
    def params(self) -> dict[str, Param]:
        """Parameters by name, with their present values."""
        with self._names:
            return {p.name.decode(): Param(p.value.decode(), p.initial.decode(), p.about.decode(), p.min if p.has_min else None,
                                           p.max if p.has_max else None, (p.usual_min, p.usual_max) if p.has_usual else None,
                                           p.words.decode().split("|") if p.words else None)
                    for p in _list(_abi.recipe_param, _abi.Param, self._handle)}

    def _facts(self):
        facts = _abi.Facts()
        with self._names:
            _abi.recipe_facts(self._handle, C.byref(facts))
        return facts

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in cells."""
        facts = self._facts()
        return facts.width, facts.height

    @property
    def seed(self) -> int:
        return self._facts().seed

    @property
    def wraps(self) -> bool:
        """Whether opposite borders of the map meet."""
        return self._facts().wraps

    @property
    def world(self) -> dict[str, float] | None:
        """`world:` in numbers: side_m, height_m, sea_level and cell_m, the side of a cell; None without it."""
        facts = self._facts()
        return {name: getattr(facts, name) for name in ("side_m", "height_m", "sea_level", "cell_m")} if facts.has_world else None

    def __repr__(self):
        what = self._settings["path"] or "text"
        return f"<thalweg.Recipe {what}: {', '.join(self.outputs)}>"

    # ---- what goes in ----

    def set(self, params: Mapping[str, Any] | None = None, **more: Any) -> Recipe:
        """Gives parameters other values for the next runs; None puts back the recipe's default. After a fault all are as
        before. Returns the recipe."""
        wanted = {name: None if value is None else _given.parameter(value, name) for name, value in {**(params or {}), **more}.items()}
        with self._used(), self._names:
            before, waiting, done = dict(self._params), list(wanted), []
            while waiting:
                faults = {name: fault for name in waiting for fault in [self._set(name, wanted[name])] if fault}
                done += [name for name in waiting if name not in faults]
                if len(faults) == len(waiting):
                    for name in reversed(done):
                        self._set(name, before.get(name))
                    raise faults[waiting[0]]
                waiting = list(faults)  # what did not fit beside the earlier value of another
        return self

    def _set(self, name, value):
        """Sets one parameter; returns the fault."""
        raw, error = None if value is None else _given.text(value, f"parameter {name}"), _abi.Error()
        if _abi.recipe_set(self._handle, _given.text(name, "the name of a parameter"), raw, error):
            return exception_of(error)
        self._params.pop(name, None)
        if value is not None:
            self._params[name] = value
        return None

    def _input(self, name):
        inputs = self.inputs
        if name not in inputs:
            raise KeyError(f"the recipe has no input '{name}'; it has {', '.join(inputs) or 'none'}")
        return inputs[name].type

    def feed(self, arrays: Mapping[str, Any] | None = None, **more: Any) -> Recipe:
        """Gives inputs copies of arrays for the next runs. Returns the recipe."""
        for name, given in {**(arrays or {}), **more}.items():
            kind = self._input(name)
            array, error = _arrays.element_array(kind, given), _abi.Error()
            with self._used():
                if _abi.recipe_feed(self._handle, name.encode(), _arrays.value_of(kind, array), error):
                    raise exception_of(error)
        return self

    def lend(self, arrays: Mapping[str, Any] | None = None, **more: Any) -> Recipe:
        """As feed(), without copying arrays that have the engine's type and order: they must not change until their input
        is fed again or the recipe is gone, and are made read-only meanwhile."""
        for name, given in {**(arrays or {}), **more}.items():
            kind = self._input(name)
            array, error = _arrays.element_array(kind, given), _abi.Error()
            if array.size == 0:
                self.feed({name: array})
                continue
            with self._used():
                loan = _Loan(array, self._lent)
                if _abi.recipe_feed_borrowed(self._handle, name.encode(), _arrays.value_of(kind, array), loan.release, None, error):
                    loan.end()
                    raise exception_of(error)
        return self

    # ---- what comes out ----

    def _wanted(self, only):
        if only is None:
            return None
        wanted = [_given.text(name, "only").decode() for name in _given.several(only)]
        if not wanted:
            raise ValueError("only is empty; expected the name of an output, a list of names, or None")
        unknown = [name for name in wanted if name not in self.outputs]
        return unknown[:1] or wanted  # the engine says what is wrong with it

    def run(self, *, threads: int = 0, cache: _given.Path | bool | None = None, only: str | Iterable[str] | None = None,
            progress: Callable[[str, float], Any] | None = None, max_seconds: float = 0, max_memory: int = 0, **inputs: Any) -> Result:
        """Computes the outputs and returns them as a Result.

        threads: workers, 0 for one per processor; cache: None, a folder, or True for the command's; only: the name of the
        one output to compute, or a list of names, for more than one of which all are computed; progress(node, done): called
        as nodes end, in any thread; max_seconds and max_memory (bytes) end the run with a LimitError. Other keywords are
        fed. Ctrl-C stops the run. Other Python threads go on meanwhile.
        """
        if inputs:
            self.feed(inputs)
        folder, wanted = cache_folder(cache), self._wanted(only)
        alone = wanted[0].encode() if wanted and len(wanted) == 1 else None
        stop, thrown, notes = C.c_int(0), [], []
        if not max_seconds >= 0:
            raise UsageError(f"max_seconds is {max_seconds}; expected at least 0")
        options = _abi.RunOptions(threads=_given.whole(threads, "threads", 0, 2**31 - 1), max_seconds=max_seconds, cache_dir=folder,
                                  max_memory=_given.whole(max_memory, "max_memory", 0, 2**64 - 1), only=alone, cancel=C.pointer(stop))

        def on_progress(_, node, done):
            try:
                progress(node.decode(), done)
            except BaseException as error:  # pylint: disable=broad-except
                thrown.append(error)
                stop.value = 1

        if progress:
            options.progress = _abi.PROGRESS(on_progress)
        options.warning = _abi.WARNING(lambda _, warning: notes.append(str(exception_of(warning.contents))))
        handle, error = C.c_void_p(), _abi.Error()

        def work():
            self._runner = threading.get_ident()
            try:
                return _abi.recipe_run(self._handle, options, handle, error)
            finally:
                self._runner = None

        with self._used(), _under_way(stop):
            names = [name for name in self.outputs if wanted is None or name in wanted]
            status = _call(work, stop, thrown)
        result = Result(handle.value, names) if handle.value else None
        if thrown:
            raise thrown[0]
        if status:
            raise exception_of(error)
        _warn(notes, 2)
        return result

    def export(self, folder: _given.Path = "out", **options: Any) -> dict[str, Any]:
        """Writes what the recipe has under `export:` into a folder, by the command, with its `run` options as keywords.
        Returns the command's document (docs/json.md)."""
        settings, text, source, home = self._settings, self._settings["text"], "-", None
        if text is None:
            source = os.fspath(settings["path"])
        else:  # the command takes its current folder for that of a text
            text = text if isinstance(text, str) else bytes(text).decode()
            home = os.path.dirname(os.fsdecode(settings["name"])) or None
        size = None if settings["size"] is None else _given.size(settings["size"])
        options = {"out": os.path.abspath(os.fsdecode(folder)), "size": "x".join(str(side) for side in size if side) if size else None,
                   "seed": settings["seed"], "allow_path": [os.path.abspath(os.fsdecode(path)) for path in settings["allow"]],
                   "set": self._pairs(), **options}
        return run_command("run", source, text=text, folder=home, **options)

    def _repr_png_(self):
        try:
            return self.run()._repr_png_()
        except UsageError:  # an input was not fed
            return None


class _Loan:
    """An array that the engine borrows; `lent`, the recipe's, keeps it until the engine gives it back."""

    holders = {}  # by id() of an array: how many loans it is in

    def __init__(self, array, lent):
        self._lent, self._array = lent, array
        self.release = _abi.RELEASE(lambda context, data: self.end())
        count, writeable = self.holders.get(id(array), (0, array.flags.writeable))
        self.holders[id(array)] = count + 1, writeable
        array.flags.writeable = False
        lent[id(self)] = self

    def end(self):
        count, writeable = self.holders.pop(id(self._array))
        if count > 1:
            self.holders[id(self._array)] = count - 1, writeable
        elif writeable:
            self._array.flags.writeable = True
        self._lent.pop(id(self), None)


_runs, _changed, _ended = [], threading.Condition(), []  # the flags that stop runs; whether the interpreter ends


@contextlib.contextmanager
def _under_way(stop):
    """A run, which the end of the interpreter stops: its thread would never return to the engine."""
    _leave_at_end()
    with _changed:
        _runs.append(stop)
    try:
        yield
    finally:
        with _changed:
            _runs.remove(stop)
            _changed.notify_all()
    _leave_at_end()


def _leave_at_end():
    """At the end of the interpreter, waits with it in a daemon thread."""
    if _ended and threading.current_thread().daemon:
        threading.Event().wait()
    if _ended:
        raise RuntimeError("the interpreter ends")


@atexit.register
def _stop_runs():
    with _changed:
        _ended.append(True)
        for stop in _runs:
            stop.value = 1
        _changed.wait_for(lambda: not _runs, timeout=10)


def _after_fork():
    global _changed
    _runs.clear()
    _changed = threading.Condition()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _call(work, stop, thrown):
    """Calls work() and returns its result. From the main thread it works in another, so that Ctrl-C arrives at once."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    results, done, begun = [], threading.Event(), threading.Lock()

    def run():
        if begun.acquire(blocking=False):
            try:
                results.append(work())
            except BaseException as error:  # pylint: disable=broad-except
                thrown.append(error)
                results.append(None)
            done.set()

    try:
        threading.Thread(target=run, daemon=True).start()
    except BaseException as error:  # interrupted, or there is no thread
        if begun.acquire(blocking=False):
            raise
        thrown.append(error)
        stop.value = 1
    while not results:
        try:
            done.wait(POLL_SECONDS)  # an interrupted join() may take the thread for ended
        except BaseException as error:  # pylint: disable=broad-except
            thrown.append(error)
            stop.value = 1
    return results[0]
