# SPDX-License-Identifier: MIT
"""The package's structs, types and statuses against those of a C compiler: ABI_FACTS is the program of abi.c."""
import ctypes
import os
import subprocess
import unittest

from thalweg import _abi, _arrays, _errors


class Abi(unittest.TestCase):
    def setUp(self):
        lines = subprocess.run([os.environ["ABI_FACTS"]], check=True, capture_output=True, text=True).stdout.splitlines()
        self.rows = [line.split() for line in lines]

    def test_structs_have_the_compilers_layout(self):
        sizes = {name: int(size) for kind, name, size in (row for row in self.rows if row[0] == "struct")}
        self.assertEqual(sizes, {name: ctypes.sizeof(struct) for name, struct in _abi.STRUCTS.items()})
        offsets = {(name, member): int(offset) for name, member, offset in (row for row in self.rows if row[0] in _abi.STRUCTS)}
        ours = {(name, field[0]): getattr(struct, field[0]).offset for name, struct in _abi.STRUCTS.items() for field in struct._fields_}
        self.assertEqual(offsets, ours)

    def test_types_have_their_number_shape_and_element(self):
        rows = [row[1:] for row in self.rows if row[0] == "type"]
        ours = [[name, "grid" if is_grid else "list", str(element.itemsize)] for name, (is_grid, element) in _arrays.ELEMENTS.items()]
        self.assertEqual(rows, ours)
        self.assertEqual([name for name, _, _ in rows], [_abi.type_name(i).decode() for i in range(len(rows))])

    def test_statuses_raise_their_exception(self):
        numbers = {name: int(number) for kind, name, number in (row for row in self.rows if row[0] == "status")}
        self.assertEqual(_errors.KINDS[numbers["USAGE"]], _errors.UsageError)
        self.assertEqual(_errors.KINDS[numbers["RECIPE"]], _errors.RecipeError)
        self.assertEqual(_errors.KINDS[numbers["INPUT"]], _errors.InputError)
        self.assertEqual(_errors.KINDS[numbers["LIMIT"]], _errors.LimitError)
        self.assertEqual(_errors.KINDS[numbers["PATH"]], _errors.PathError)
        self.assertEqual(_errors.KINDS[numbers["MEMORY"]], _errors.OutOfMemory)
        self.assertEqual(_errors.KINDS[numbers["CANCELLED"]], _errors.Cancelled)
        self.assertEqual(len(_errors.KINDS), 7)


if __name__ == "__main__":
    unittest.main()
