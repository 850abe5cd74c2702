# SPDX-License-Identifier: MIT
"""The structs and functions of thalweg.h, field.h and status.h, as ctypes sees them.

tests/python/test_abi.py compares every size and offset with those of a C compiler.
"""
import ctypes as C
import os
import sys

from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint64, c_void_p

VERSION = "0.1"  # of the interface: the library's soname ends with it
DEFAULT_NAME = {"win32": "thalweg.dll", "darwin": f"libthalweg.{VERSION}.dylib"}.get(sys.platform, f"libthalweg.so.{VERSION}")


class Error(C.Structure):
    _fields_ = [("status", c_int), ("line", c_int32), ("column", c_int32), ("file", c_char * 256), ("path", c_char * 128),
                ("message", c_char * 512), ("hint", c_char * 256)]


class Limits(C.Structure):
    _fields_ = [("nodes", c_int32), ("side", c_int32), ("cells", c_uint64)]


DIAGNOSTIC = C.CFUNCTYPE(None, c_void_p, c_bool, POINTER(Error), c_char_p)
READS = C.CFUNCTYPE(None, c_void_p, c_char_p)
PROGRESS = C.CFUNCTYPE(None, c_void_p, c_char_p, c_double)
WARNING = C.CFUNCTYPE(None, c_void_p, POINTER(Error))
RELEASE = C.CFUNCTYPE(None, c_void_p, c_void_p)


class Sized(C.Structure):
    """A struct whose first member says how much of it we know."""

    def __init__(self, **members):
        super().__init__(size=C.sizeof(self), **members)


class LoadOptions(Sized):
    _fields_ = [("size", c_size_t), ("set", POINTER(c_char_p)), ("width", c_int32), ("height", c_int32), ("has_seed", c_bool),
                ("seed", c_uint64), ("feeds", c_bool), ("limits", Limits), ("allow", POINTER(c_char_p)), ("suspects_links", c_bool),
                ("types", c_void_p), ("diagnostic", DIAGNOSTIC), ("reads", READS), ("context", c_void_p), ("outputs", POINTER(c_char_p))]


class RunOptions(Sized):
    _fields_ = [("size", c_size_t), ("threads", c_int32), ("max_memory", c_uint64), ("in_memory", c_bool), ("max_seconds", c_double),
                ("cache_dir", c_char_p), ("cache_bytes", c_uint64), ("remote", c_void_p), ("only", c_char_p), ("progress", PROGRESS),
                ("warning", WARNING), ("context", c_void_p), ("cancel", POINTER(c_int))]


class Port(C.Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("width", c_int32), ("height", c_int32)]


class Param(C.Structure):
    _fields_ = [("name", c_char_p), ("about", c_char_p), ("initial", c_char_p), ("value", c_char_p), ("is_number", c_bool),
                ("has_min", c_bool), ("has_max", c_bool), ("min", c_double), ("max", c_double),
                ("has_usual", c_bool), ("usual_min", c_double), ("usual_max", c_double), ("words", c_char_p)]


class Facts(Sized):
    _fields_ = [("size", c_size_t), ("width", c_int32), ("height", c_int32), ("seed", c_uint64), ("wraps", c_bool), ("has_world", c_bool),
                ("side_m", c_double), ("height_m", c_double), ("sea_level", c_double), ("cell_m", c_double)]


class RunReport(Sized):
    _fields_ = [("size", c_size_t), ("nodes", c_int32), ("computed", c_int32), ("kept", c_int32), ("seconds", c_double),
                ("peak_bytes", c_uint64)]


class NodeReport(Sized):
    _fields_ = [("size", c_size_t), ("path", c_char_p), ("type", c_char_p), ("kept", c_bool), ("seconds", c_double)]


class Value(C.Structure):
    _fields_ = [("type", c_int), ("width", c_int32), ("height", c_int32), ("data", c_void_p)]


STRUCTS = {"tw_error": Error, "tw_limits": Limits, "tw_load_options": LoadOptions, "tw_run_options": RunOptions, "tw_recipe_port": Port,
           "tw_recipe_param": Param, "tw_recipe_facts": Facts, "tw_run_report": RunReport, "tw_node_report": NodeReport, "tw_value": Value}


def _library_path():
    """THALWEG_LIBRARY, else the library beside this package, as wheels have it, else the system's."""
    named = os.environ.get("THALWEG_LIBRARY")
    beside = os.path.join(os.path.dirname(__file__), "_bin", DEFAULT_NAME)
    return named or (beside if os.path.exists(beside) else DEFAULT_NAME)


def _load():
    # libuv reads the size of its pool when it is first used: workers, a reader and a writer.
    os.environ.setdefault("UV_THREADPOOL_SIZE", str((os.cpu_count() or 1) + 2))
    path = _library_path()
    try:
        return C.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load the library of Thalweg, {path}: {error}; install Thalweg {VERSION}, or name the library in "
                          "THALWEG_LIBRARY") from None


_library = _load()


def _function(name, result, *arguments):
    try:
        function = getattr(_library, name)
    except AttributeError:
        raise ImportError(f"{_library._name} has no {name}(); this package needs Thalweg {VERSION}.0 or later") from None
    function.restype, function.argtypes = result, arguments
    return function


version = _function("tw_version", c_char_p)
if not version().decode().startswith(f"{VERSION}."):
    raise ImportError(f"{_library._name} is Thalweg {version().decode()}; this package needs {VERSION}")
recipe_load = _function("tw_recipe_load", c_int, c_char_p, POINTER(LoadOptions), POINTER(c_void_p), POINTER(Error))
recipe_parse = _function("tw_recipe_parse", c_int, c_char_p, c_size_t, c_char_p, POINTER(LoadOptions), POINTER(c_void_p), POINTER(Error))
recipe_release = _function("tw_recipe_release", None, c_void_p)
recipe_input = _function("tw_recipe_input", c_bool, c_void_p, c_int32, POINTER(Port))
recipe_output = _function("tw_recipe_output", c_bool, c_void_p, c_int32, POINTER(Port))
recipe_param = _function("tw_recipe_param", c_bool, c_void_p, c_int32, POINTER(Param))
recipe_facts = _function("tw_recipe_facts", None, c_void_p, POINTER(Facts))
recipe_set = _function("tw_recipe_set", c_int, c_void_p, c_char_p, c_char_p, POINTER(Error))
recipe_feed_borrowed = _function("tw_recipe_feed_borrowed", c_int, c_void_p, c_char_p, POINTER(Value), RELEASE, c_void_p, POINTER(Error))
recipe_feed = _function("tw_recipe_feed", c_int, c_void_p, c_char_p, POINTER(Value), POINTER(Error))
recipe_run = _function("tw_recipe_run", c_int, c_void_p, POINTER(RunOptions), POINTER(c_void_p), POINTER(Error))
result_output = _function("tw_result_output", POINTER(Value), c_void_p, c_char_p)
result_report = _function("tw_result_report", None, c_void_p, POINTER(RunReport))
result_node = _function("tw_result_node", c_bool, c_void_p, c_int32, POINTER(NodeReport))
result_release = _function("tw_result_release", None, c_void_p)
schema_json = _function("tw_schema_json", c_void_p, c_void_p)
catalogue_json = _function("tw_catalogue_json", c_void_p, c_void_p, c_char_p)
cache_folder = _function("tw_cache_folder", c_bool, c_char_p, c_size_t)
text_release = _function("tw_text_release", None, c_void_p)
status_text = _function("tw_status_text", c_char_p, c_int)
type_name = _function("tw_type_name", c_char_p, c_int)
trim = _function("tw_trim", None)
