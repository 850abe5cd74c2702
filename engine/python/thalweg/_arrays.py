# SPDX-License-Identifier: MIT
"""Values as NumPy arrays that share the engine's memory.

Grids are (height, width), row 0 in the north, with a last axis for the channels of vectors, images and surfaces; lists
are arrays of one axis, with named fields where an element has several; a record is a dict of numbers.
"""
import weakref

import numpy as np

from . import _abi

RECORD = np.dtype([("name", "S24"), ("number", "<f8")])


def _floats(names):
    return [(name, "<f4") for name in names.split()]


# TW_TYPE_LIST of field.h: the type's name, whether it is a grid, and its element.
ELEMENTS = {
    "heightmap": (True, np.dtype("<f4")),
    "mask": (True, np.dtype("<f4")),
    "labels": (True, np.dtype("<i4")),
    "vectors": (True, np.dtype(("<f4", 2))),
    "image": (True, np.dtype(("u1", 3))),
    "points": (False, np.dtype(_floats("x y cost") + [("feature", "<i4"), ("profile", "<i4")])),
    "curves": (False, np.dtype(_floats("x y z plateau slope_left angle_left slope_right angle_right envelope_left envelope_right "
                                       "elevation") + [("curve", "<i4"), ("interpolation", "<i4")])),
    "profile": (False, np.dtype(_floats("x p"))),
    "polymap": (False, np.dtype("<u4")),
    "record": (False, RECORD),
    "placements": (False, np.dtype(_floats("x y size") + [("rotation", "<i4"), ("kind", "<i4")])),
    "surface": (True, np.dtype(("<u2", 4))),
    "lines": (False, np.dtype([("line", "<i4")] + _floats("x y z width depth flow"))),
}
NUMBERS = {name: number for number, name in enumerate(ELEMENTS)}
NAMES = dict(enumerate(ELEMENTS))


class Owner:
    """A result of the engine; arrays keep it alive, and with the last of them it goes."""

    def __init__(self, handle):
        self.handle = handle
        weakref.finalize(self, _abi.result_release, handle).atexit = False  # threads may still read then


class _Block:
    """The memory of one value, for numpy.asarray()."""

    def __init__(self, owner, address, shape, dtype):
        self._owner = owner
        kind = dtype.str if dtype.names is None else f"|V{dtype.itemsize}"
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape, "typestr": kind}


def view(owner, value):
    """The array, or for a record the dict, of a value that `owner` keeps alive."""
    is_grid, element = ELEMENTS[NAMES[value.type]]
    base = element.base
    shape = ((value.height, value.width) if is_grid else (value.width,)) + element.shape
    if not value.data or 0 in shape:
        array = np.empty(shape, base)
        array.flags.writeable = False
    else:
        array = np.asarray(_Block(owner, value.data, shape, base)).view(base)
    if NAMES[value.type] == "record":
        return {row["name"].decode(): float(row["number"]) for row in array}
    return array


def _record(entries):
    """The array of a record's dict."""
    names = [name.encode() if isinstance(name, str) else name for name in entries]
    for name in names:
        if not isinstance(name, bytes) or b"\0" in name or len(name) >= RECORD["name"].itemsize:
            raise ValueError(f"record has the name {name!r}; expected a str of at most {RECORD['name'].itemsize - 1} bytes")
    return np.array(list(zip(names, entries.values())), RECORD)


def _fields(type_name, array, element):
    """The array with the element's fields, taken by their names."""
    if array.size and (not array.dtype.names or sorted(array.dtype.names) != sorted(element.names)):
        raise TypeError(f"{type_name} takes an array with the fields {', '.join(element.names)}, not {array.dtype}")
    return array[list(element.names)] if array.dtype.names else array


def element_array(type_name, given):
    """A contiguous array of the type's elements with the numbers of `given`, which is copied only where it must be."""
    is_grid, element = ELEMENTS[type_name]
    array = _record(given) if type_name == "record" and isinstance(given, dict) else np.asarray(given)
    base = element.base
    axes = (2 if is_grid else 1) + len(element.shape)
    if array.ndim != axes or array.shape[axes - len(element.shape):] != element.shape or max(array.shape) >= 2**31:
        wanted = "(height, width" + "".join(f", {n}" for n in element.shape) + ")" if is_grid else "(length,)"
        raise ValueError(f"{type_name} takes an array of shape {wanted}, not {array.shape}")
    if array.dtype == base:
        return np.require(array, base, "CA")
    if base.names:
        array = _fields(type_name, array, base)
    elif array.dtype.kind not in ("buif" if base.kind == "f" else "bui"):
        raise TypeError(f"{type_name} takes {base}, not {array.dtype}")
    elif base.kind != "f" and array.size and not np.iinfo(base).min <= int(array.min()) <= int(array.max()) <= np.iinfo(base).max:
        raise ValueError(f"{type_name} takes {base}, not numbers beyond")
    with np.errstate(over="ignore"):  # the engine refuses what is not finite
        return np.ascontiguousarray(array, base)


def value_of(type_name, array):
    """The engine's header of an array from element_array()."""
    is_grid = ELEMENTS[type_name][0]
    width, height = (array.shape[1], array.shape[0]) if is_grid else (array.shape[0], 1)
    return _abi.Value(NUMBERS[type_name], width, height, array.ctypes.data)
