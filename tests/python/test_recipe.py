# SPDX-License-Identifier: MIT
"""Recipes from Python: what goes in, what comes out, and what goes wrong."""
import gc
import inspect
import os
import signal
import sys
import tempfile
import threading
import typing
import unittest
import warnings

import numpy as np
import thalweg

HILLS = """thalweg: 1
size: 64
world: {side_m: 6400, height_m: 500}
params:
  talus: {default: 16, min: 0, max: 64, usual: [4, 40], about: steepest}
  shape: round
nodes:
  noise:  {type: noise.midpoint, smoothed: true}
  eroded: {type: erosion.olsen, in: noise, talus: "${talus}"}
  facts: {type: measure.statistics, in: eroded}
  stretched: {type: shape.transform, in: eroded, mirror: "${shape}"}
outputs: {height: eroded, facts: facts}
"""
PLAIN = HILLS.replace("  shape: round\n", "").replace('  stretched: {type: shape.transform, in: eroded, mirror: "${shape}"}\n', "")
FED = """thalweg: 1
inputs: {ground: heightmap, where: mask}
params: {depth: 1}
nodes:
  cut: {type: combine.formula, a: ground, b: where, formula: "a - b * ${depth}"}
outputs: {cut: cut}
"""
LONG = """thalweg: 1
size: 2048
nodes:
  noise: {type: noise.midpoint}
  worn: {type: erosion.thermal, in: noise, iterations: 5000}
outputs: {worn: worn}
"""


class Runs(unittest.TestCase):
    def test_outputs_are_arrays_and_dicts(self):
        result = thalweg.Recipe(text=PLAIN, seed=7).run()
        self.assertEqual(list(result), ["height", "facts"])
        self.assertEqual(result.height.shape, (64, 64))
        self.assertEqual(result.height.dtype, np.float32)
        self.assertFalse(result.height.flags.writeable)
        self.assertAlmostEqual(result.facts["max"], float(result.height.max()), places=6)
        self.assertIs(result["height"], result.height)
        with self.assertRaises(AttributeError):
            result.hight

    def test_arrays_outlive_result_and_recipe(self):
        height = thalweg.Recipe(text=PLAIN).run().height
        before = height.copy()
        gc.collect()
        for _ in range(20):
            thalweg.Recipe(text=PLAIN, seed=3).run()
        np.testing.assert_array_equal(height, before)

    def test_threads_seed_and_size(self):
        recipe = thalweg.Recipe(text=PLAIN, seed=7, size=(96, 32))
        one, eight = recipe.run(threads=1).height, recipe.run(threads=8).height
        self.assertEqual(one.shape, (32, 96))
        self.assertEqual(one.tobytes(), eight.tobytes())
        self.assertEqual((recipe.size, recipe.seed), ((96, 32), 7))
        self.assertNotEqual(one.tobytes(), thalweg.run(text=PLAIN, seed=8, size=(96, 32)).height.tobytes())

    def test_only_and_further_outputs(self):
        recipe = thalweg.Recipe(text=PLAIN, outputs=["noise", "eroded.out"])
        self.assertEqual(set(recipe.outputs), {"height", "facts", "noise", "eroded.out"})
        self.assertEqual(list(recipe.run(only="noise")), ["noise"])
        self.assertEqual(list(recipe.run(only=["noise"])), ["noise"])
        several = list(recipe.outputs)[:2]
        self.assertEqual(list(recipe.run(only=reversed(several))), several)
        with self.assertRaisesRegex(thalweg.UsageError, "no output 'nois'.*noise"):
            recipe.run(only=["noise", "nois"])
        with self.assertRaisesRegex(ValueError, "only is empty"):
            recipe.run(only=[])
        result = recipe.run()
        np.testing.assert_array_equal(result["eroded.out"], result.height)
        with self.assertRaises(thalweg.RecipeError) as caught:
            thalweg.Recipe(text=PLAIN, outputs=["nose"])
        self.assertIn("noise", caught.exception.hint)

    def test_the_world(self):
        recipe = thalweg.Recipe(text=PLAIN)
        self.assertEqual(recipe.world, {"side_m": 6400, "height_m": 500, "sea_level": 0, "cell_m": 100})
        self.assertIsNone(thalweg.Recipe(text=FED, size=8).world)

    def test_cache_and_report(self):
        with tempfile.TemporaryDirectory() as folder:
            first = thalweg.Recipe(text=PLAIN).run(cache=folder)
            again = thalweg.Recipe(text=PLAIN).run(cache=folder)
        self.assertEqual((first.report.computed, first.report.kept), (3, 0))
        self.assertEqual((again.report.computed, again.report.kept), (0, 3))
        self.assertEqual([node.path for node in first.report.nodes], ["noise", "eroded", "facts"])
        self.assertEqual(first.report.nodes[1].type, "erosion.olsen")
        self.assertGreater(first.report.peak_bytes, 64 * 64 * 4 - 1)
        self.assertEqual(first.height.tobytes(), again.height.tobytes())

    def test_progress_and_its_exceptions(self):
        seen = []
        thalweg.Recipe(text=PLAIN).run(progress=lambda node, done: seen.append((node, done)))
        self.assertEqual(seen[-1][1], 1)

        def fails(node, done):
            raise KeyError(node)

        with self.assertRaises(KeyError):
            thalweg.Recipe(text=PLAIN).run(progress=fails)

    def test_threads_of_python_run_at_once(self):
        expected = thalweg.run(text=PLAIN, seed=1).height.tobytes()
        results = []

        def work():
            results.append(thalweg.run(text=PLAIN, seed=1, threads=2).height.tobytes())

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [expected] * 4)

    def test_an_interrupt_stops_the_run(self):
        recipe = thalweg.Recipe(text=LONG)

        def interrupt(node, done):
            if not interrupted:
                interrupted.append(node)
                os.kill(os.getpid(), signal.SIGINT)

        interrupted = []
        with self.assertRaises(KeyboardInterrupt):
            recipe.run(progress=interrupt)

    def test_limits(self):
        with self.assertRaises(thalweg.LimitError):
            thalweg.Recipe(text=LONG).run(max_memory=1 << 20)


class Params(unittest.TestCase):
    def test_they_are_listed(self):
        param = thalweg.Recipe(text=PLAIN, talus=12).params["talus"]
        self.assertEqual(param, thalweg.Param("12", "16", "steepest", 0, 64, (4, 40), None))

    def test_words(self):
        text = "thalweg: 1\nsize: 8\nparams: {kept: below}\nnodes:\n  a: {type: noise.perlin}\n" \
               "  b: {type: erosion.olsen, in: a, border: \"${kept}\"}\noutputs: {b: b}\n"
        words = thalweg.Recipe(text=text, kept="wrap").params["kept"].words
        self.assertEqual(words, ["recipe", "wrap", "closed"])

    def test_setting_again(self):
        recipe = thalweg.Recipe(text=PLAIN, size=32)
        first = recipe.run().height.tobytes()
        changed = recipe.set(talus=4).run().height.tobytes()
        self.assertNotEqual(first, changed)
        self.assertEqual(changed, thalweg.run(text=PLAIN, size=32, talus=4).height.tobytes())
        self.assertEqual(recipe.set(talus=None).run().height.tobytes(), first)
        with self.assertRaises(thalweg.ThalwegError) as caught:
            recipe.set(talus=99)
        self.assertEqual((caught.exception.line, recipe.params["talus"].value), (0, "16"))
        with self.assertRaises(thalweg.UsageError) as caught:
            recipe.set(tallus=9)
        self.assertIn("talus", caught.exception.hint)
        self.assertEqual(recipe.run().height.tobytes(), first)

    def test_names_that_clash(self):
        text = PLAIN.replace("talus:", "size:", 1).replace("${talus}", "${size}")
        self.assertEqual(thalweg.Recipe(text=text, size=8, params={"size": 3}).params["size"].value, "3")


class Feeding(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(1)
        self.ground = random.random((12, 20), np.float32)
        self.where = random.random((12, 20), np.float32)

    def expect(self, cut, depth=1):
        np.testing.assert_allclose(cut, self.ground - self.where * depth, atol=1e-6)

    def test_arrays(self):
        recipe = thalweg.Recipe(text=FED, size=(20, 12))
        self.assertEqual(recipe.inputs, {"ground": ("heightmap", 20, 12), "where": ("mask", 20, 12)})
        self.expect(recipe.run(ground=self.ground, where=self.where).cut)
        self.expect(recipe.set(depth=2).run().cut, 2)
        wide = np.repeat(self.ground.astype(np.float64), 2, axis=1)
        self.expect(recipe.set(depth=1).run(ground=wide[:, ::2]).cut)

    def test_lent_arrays(self):
        recipe = thalweg.Recipe(text=FED, size=(20, 12))
        recipe.lend(ground=self.ground).feed(where=self.where)
        self.assertFalse(self.ground.flags.writeable)
        self.expect(recipe.run().cut)
        self.expect(recipe.set(depth=3).run().cut, 3)
        recipe.feed(ground=self.ground.copy())
        self.assertTrue(self.ground.flags.writeable)
        recipe.lend(ground=self.ground)
        del recipe
        gc.collect()
        self.assertTrue(self.ground.flags.writeable)

    def test_what_does_not_fit(self):
        recipe = thalweg.Recipe(text=FED, size=(20, 12))
        with self.assertRaises(thalweg.UsageError):
            recipe.feed(ground=self.ground.T)
        with self.assertRaises(thalweg.InputError):
            recipe.feed(where=self.where + 1)
        with self.assertRaises(thalweg.UsageError):
            recipe.lend(ground=self.ground.T.copy())
        with self.assertRaises(KeyError):
            recipe.feed(grund=self.ground)
        with self.assertRaises(ValueError):
            recipe.feed(ground=np.zeros(3))
        with self.assertRaises(TypeError):
            recipe.feed(ground=np.zeros((12, 20), complex))
        with self.assertRaises(thalweg.UsageError):
            recipe.run()

    def test_every_type_there_and_back(self):
        random = np.random.default_rng(2)
        for name, (is_grid, element) in thalweg._arrays.ELEMENTS.items():
            if name == "polymap":
                continue
            text = f"thalweg: 1\nsize: [6, 4]\ninputs: {{given: {name}}}\nnodes:\n  unused: {{type: source.constant}}\n" \
                   "outputs: {back: given, unused: unused}\n"
            shape = ((4, 6) if is_grid else (5,)) + element.shape
            if name == "record":
                given = {"one": 1.0, "two": -2.5}
            else:
                raw = random.integers(0, 2, size=shape + (element.base.itemsize,), dtype=np.uint8)
                given = np.zeros(shape, element.base)
                if element.base.names:
                    for field in element.base.names:
                        given[field] = random.integers(0, 2, size=shape)
                else:
                    given[...] = raw[..., 0]
            back = thalweg.Recipe(text=text).run(given=given).back
            with self.subTest(name):
                if name == "record":
                    self.assertEqual(back, given)
                else:
                    self.assertEqual(back.dtype, given.dtype)
                    np.testing.assert_array_equal(back, given)


class Faults(unittest.TestCase):
    def test_place_node_and_hint(self):
        text = PLAIN.replace("erosion.olsen", "erosion.olsn").replace("noise.midpoint", "noise.midpont")
        with self.assertRaises(thalweg.RecipeError) as caught:
            thalweg.Recipe(text=text, name="hills.yaml")
        fault = caught.exception
        self.assertEqual((fault.file, fault.line, fault.column), ("hills.yaml", 7, 18))
        self.assertIn("noise.midpoint", fault.hint)
        self.assertEqual([f.line for f in fault.faults], [7, 8])
        self.assertEqual([f.node for f in fault.faults], ["noise", "eroded"])
        self.assertIn("hills.yaml:7:18: ", str(fault))

    def test_a_missing_file(self):
        with self.assertRaises(thalweg.InputError) as caught:
            thalweg.Recipe("nowhere.yaml")
        self.assertNotIn(":0:", str(caught.exception))

    def test_warnings(self):
        text = PLAIN.replace("  facts:", "  spare: {type: noise.perlin}\n  facts:")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            thalweg.Recipe(text=text)
        self.assertEqual([w.category for w in caught], [thalweg.ThalwegWarning])
        self.assertIn("spare", str(caught[0].message))

    def test_either_path_or_text(self):
        for arguments in ({}, {"path": "a.yaml", "text": PLAIN}):
            with self.assertRaises(TypeError):
                thalweg.Recipe(**arguments)


class Pictures(unittest.TestCase):
    def test_a_notebook_shows_a_relief(self):
        result = thalweg.run(text=PLAIN)
        picture = result._repr_png_()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(picture[16:24], bytes([0, 0, 0, 64, 0, 0, 0, 64]))
        self.assertEqual(thalweg.relief(result.height).shape, (64, 64, 3))
        self.assertIsNone(thalweg.picture(result.facts))


class Hints(unittest.TestCase):
    """For editors and type checkers: all that is public has types, and they can be read."""

    def callables(self):
        for name in thalweg.__all__:
            thing = getattr(thalweg, name)
            if not inspect.isclass(thing):
                yield name, thing
                continue
            for member, found in vars(thing).items():
                found = found.fget if isinstance(found, property) else found
                if inspect.isfunction(found) and not member.startswith("_"):
                    yield f"{name}.{member}", found
        yield "Recipe", thalweg.Recipe.__init__

    @unittest.skipIf(sys.version_info < (3, 10), "reading them needs Python 3.10")
    def test_everything_public(self):
        count = 0
        for name, function in self.callables():
            with self.subTest(name):
                given = [p for p in inspect.signature(function).parameters if p != "self"]
                self.assertEqual({*given, "return"}, set(typing.get_type_hints(function)))
                count += 1
        self.assertGreater(count, 20)


class Catalogue(unittest.TestCase):
    def test_types_and_schema(self):
        types = thalweg.node_types()
        self.assertIn("erosion.olsen", [row["type"] for row in types])
        self.assertEqual(thalweg.node_types("noise.perlin")["type"], "noise.perlin")
        with self.assertRaises(KeyError):
            thalweg.node_types("noise.pearl")
        self.assertIn("$schema", thalweg.schema())
        self.assertRegex(thalweg.__version__, r"^\d+\.\d+\.\d+$")
        thalweg.trim()


if __name__ == "__main__":
    unittest.main()
