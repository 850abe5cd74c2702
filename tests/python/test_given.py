# SPDX-License-Identifier: MIT
"""What callers give that C would take for something else, and programs that end in odd ways."""
import gc
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy as np
import thalweg

TEXT = """thalweg: 1
size: 16
params: {low: {default: 0.2, min: 0, max: 1}, high: {default: 0.4, min: 0, max: 1}}
nodes:
  n: {type: noise.perlin}
  m: {type: mask.height, in: n, low: "${low}", high: "${high}"}
outputs: {m: m}
"""
FED = """thalweg: 1
size: [6, 4]
inputs: {a: heightmap, b: heightmap}
nodes:
  c: {type: combine.formula, a: a, b: b, formula: a + b}
outputs: {c: c}
"""


def fed(kind):
    return thalweg.Recipe(text=f"thalweg: 1\nsize: [6, 4]\ninputs: {{given: {kind}}}\nnodes:\n  unused: {{type: source.constant}}\n"
                               "outputs: {back: given, unused: unused}\n")


class Values(unittest.TestCase):
    def refuses(self, kinds, **settings):
        for name, values in settings.items():
            for value in values:
                with self.subTest(name, value=repr(value)), self.assertRaises(kinds):
                    thalweg.Recipe(**{"text": TEXT, name: value})

    def test_whole_numbers(self):
        self.refuses((thalweg.ThalwegError, TypeError), seed=[-1, 2**64, 1.5, float("nan"), float("inf"), "5"],
                     size=[0, -1, 2**31, 2**33, 1.5, float("nan"), "64", (8, 9, 10), (8, -1), (0, 0), (), (8, None)])
        for size in (8, np.int64(8), np.float32(8), (8,), [8, 8], np.array([8, 8])):
            self.assertEqual(thalweg.Recipe(text=TEXT, size=size).size, (8, 8))
        self.assertEqual(thalweg.Recipe(text=TEXT, seed=np.uint64(2**64 - 1)).seed, 2**64 - 1)
        recipe = thalweg.Recipe(text=TEXT)
        for name, values in {"threads": [-1, 2**32, 1.5, "2"], "max_memory": [-1, 2**64, 0.5], "max_seconds": [-1, float("nan")]}.items():
            for value in values:
                with self.subTest(name, value=value), self.assertRaises((thalweg.UsageError, TypeError)):
                    recipe.run(**{name: value})
        for threads in (2**29, 2**30, 2**31 - 1):
            self.assertEqual(recipe.run(threads=threads, max_memory=2e9).m.tobytes(), recipe.run(threads=1).m.tobytes())

    def test_zero_bytes(self):
        self.refuses(ValueError, name=["a\0.yaml"], outputs=[["n\0"]], allow=[["/tmp\0x"]], params=[{"low\0": 1}, {"low": "0.5\0"}])
        recipe = thalweg.Recipe(text=TEXT)
        for call in (lambda: thalweg.Recipe("a.yaml\0"), lambda: recipe.run(only="m\0"), lambda: recipe.run(cache="a\0"),
                     lambda: recipe.set({"low\0": 1}), lambda: recipe.set(low="0.5\0"), lambda: thalweg.node_types("noise.perlin\0")):
            with self.assertRaises(ValueError):
                call()

    def test_one_where_several_may_be(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "ground.yaml")
            other.write_text(TEXT, encoding="utf-8")
            text = f"thalweg: 1\nsize: 8\nnodes:\n  g: {{type: {other}}}\noutputs: {{m: g.m}}\n"
            for allow in (folder, [folder], pathlib.Path(folder)):
                self.assertEqual(list(thalweg.Recipe(text=text, allow=allow).outputs), ["m"])
            with self.assertRaises(thalweg.PathError):  # its letters are no folders: the first is that of all files
                thalweg.Recipe(text=text, allow="/nowhere")
        self.assertEqual(set(thalweg.Recipe(text=TEXT, outputs="n.out").outputs), {"m", "n.out"})

    def test_texts(self):
        for text in (TEXT.encode(), bytearray(TEXT.encode())):
            self.assertEqual(list(thalweg.Recipe(text=text).outputs), ["m"])
        with self.assertRaises(TypeError):
            thalweg.Recipe(text=pathlib.Path("a.yaml"))

    def test_parameters(self):
        for value, text in ((np.float64(0.5), "0.5"), (np.array(0.25), "0.25"), (np.int8(1), "1")):
            self.assertEqual(thalweg.Recipe(text=TEXT, high=value).params["high"].value, text)
        self.assertEqual(thalweg.Recipe(text=TEXT, high=pathlib.PurePosixPath("1")).params["high"].value, "1")
        self.refuses(TypeError, high=[[1], (1,), {}, b"1", 1j, object()])
        flag = "thalweg: 1\nsize: 8\nparams: {s: false}\nnodes:\n  n: {type: noise.midpoint, smoothed: \"${s}\"}\noutputs: {n: n}\n"
        self.assertEqual(thalweg.Recipe(text=flag, s=np.bool_(True)).params["s"].value, "true")

    def test_values_beside_the_recipe_have_no_place_in_it(self):
        for given in ({"low": 2}, {"lwo": 0.1}, {"size": 10**8}):
            with self.assertRaises(thalweg.ThalwegError) as caught:
                thalweg.Recipe(text=TEXT, **given)
            self.assertEqual(("", 0, 0), (caught.exception.file, caught.exception.line, caught.exception.column))
            self.assertNotIn("command line", str(caught.exception))

    def test_setting_several(self):
        recipe = thalweg.Recipe(text=TEXT)
        recipe.set(low=0.6, high=0.8).set(low=0.1, high=0.3)
        with self.assertRaises(thalweg.RecipeError):
            recipe.set(low=0.2, high=9)
        self.assertEqual([param.value for param in recipe.params.values()], ["0.1", "0.3"])

    def test_arrays(self):
        big = np.full((4, 6), 2**40)
        for kind, given in (("labels", big), ("labels", big.astype("f4")), ("image", np.full((4, 6, 3), 300)),
                            ("points", np.array([0.1, 0.2])), ("points", np.zeros(2, [("x", "f4"), ("y", "f4")])),
                            ("record", {"a" * 24: 1}), ("record", {"a\0b": 1}), ("record", {3: 1}), ("heightmap", np.float32(1))):
            with self.subTest(kind, given=given), self.assertRaises((TypeError, ValueError)):
                fed(kind).feed(given=given)
        self.assertEqual(fed("image").run(given=np.full((4, 6, 3), 255)).back.max(), 255)
        element = thalweg._arrays.ELEMENTS["points"][1]
        points = np.zeros(2, [(name, element[name]) for name in reversed(element.names)])
        points["x"], points["y"] = 0.25, 0.75
        back = fed("points").run(given=points).back
        self.assertEqual((list(back["x"]), list(back["y"])), ([0.25] * 2, [0.75] * 2))

    def test_an_array_lent_twice(self):
        recipe, array = thalweg.Recipe(text=FED), np.ones((4, 6), np.float32)
        recipe.lend(a=array, b=array).feed(a=array.copy())
        self.assertFalse(array.flags.writeable)
        recipe.feed(b=array.copy())
        self.assertTrue(array.flags.writeable)

    def test_pictures_of_any_map(self):
        self.assertEqual(thalweg.picture(np.zeros((4, 4)))[:4], b"\x89PNG")
        self.assertEqual(thalweg.picture(np.zeros((4, 4), ">f4"))[:4], b"\x89PNG")
        self.assertIsNone(thalweg.picture(np.zeros((4, 4, 4), np.uint8)))
        self.assertIsNone(thalweg.Recipe(text=FED)._repr_png_())

    def test_faults_are_pickled(self):
        with self.assertRaises(thalweg.RecipeError) as caught:
            thalweg.Recipe(text=TEXT.replace("noise.perlin", "noise.perlim").replace("mask.height", "mask.heigt"))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(again), str(again), again.line, len(again.faults)),
                         (thalweg.RecipeError, str(caught.exception), 5, 2))
        command = pickle.loads(pickle.dumps(thalweg.CommandError({"errors": [{"message": "no", "line": 3, "file": "a"}, {}]})))
        self.assertEqual((command.message, command.line, command.hint, len(command.faults)), ("no", 3, "", 2))
        self.assertIsInstance(command, thalweg.ThalwegError)

    def test_warnings_as_errors(self):
        text = TEXT.replace("outputs", "  spare: {type: noise.perlin}\noutputs")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(thalweg.ThalwegWarning):
                thalweg.Recipe(text=text)
        gc.collect()


class Ends(unittest.TestCase):
    def test_a_recipe_used_by_its_own_progress(self):
        recipe = thalweg.Recipe(text=TEXT)
        for use in (recipe.run, lambda: recipe.set(low=0.1), lambda: recipe.feed(a=1)):
            with self.assertRaises((RuntimeError, KeyError)):
                recipe.run(progress=lambda node, done, use=use: use())
        self.assertEqual(list(recipe.run(progress=lambda node, done: recipe.params)), ["m"])

    def test_threads_may_list_what_another_sets(self):
        recipe, faults = thalweg.Recipe(text=TEXT), []

        def work(number):
            try:
                for _ in range(50):
                    recipe.set(low=number / 100)
                    repr((recipe.params, recipe.outputs, recipe.size, recipe.run().m.sum()))
            except Exception as fault:  # pylint: disable=broad-except
                faults.append(fault)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])

    def test_interrupts_leave_the_recipe_usable(self):
        recipe = thalweg.Recipe(text="thalweg: 1\nsize: 512\nnodes:\n  n: {type: noise.midpoint}\n"
                                     "  worn: {type: erosion.thermal, in: n, iterations: 5000}\noutputs: {worn: worn, n: n}\n")
        for count in (1, 3):
            with self.assertRaises(KeyboardInterrupt):
                recipe.run(progress=lambda node, done, left=[count]: [os.kill(os.getpid(), signal.SIGINT) for _ in range(left.pop())])
            self.assertEqual(recipe.run(only="n").n.shape, (512, 512))

    def test_the_interpreter_ends_during_a_run(self):
        program = """
import threading, thalweg
begun = threading.Event()
text = "thalweg: 1\\nsize: 512\\nnodes:\\n  n: {type: noise.midpoint}\\n" \\
       "  worn: {type: erosion.thermal, in: n, iterations: 100000}\\noutputs: {worn: worn}\\n"
recipe = thalweg.Recipe(text=text)
threading.Thread(target=lambda: recipe.run(threads=2, progress=lambda node, done: begun.set()), daemon=True).start()
begun.wait()
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
