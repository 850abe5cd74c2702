# SPDX-License-Identifier: MIT
"""What the command does for the package: exports, comparisons, locks. THALWEG_COMMAND names it."""
import os
import tempfile
import unittest

import thalweg

HILLS = """thalweg: 1
size: 32
params: {talus: 16}
nodes:
  noise:  {type: noise.midpoint}
  eroded: {type: erosion.olsen, in: noise, talus: "${talus}"}
outputs: {height: eroded}
export: {height.npy: height}
"""
TRIAL = """thalweg-experiment: 1
recipe: hills.yaml
seeds: {from: 1, count: 3}
size: 32
measure: [height.mean]
variants:
  flat: {params: {talus: 1}}
  steep: {params: {talus: 60}}
"""


class Command(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        before = os.getcwd()
        os.chdir(self._folder.name)
        self.addCleanup(os.chdir, before)
        os.environ["XDG_CACHE_HOME"] = os.path.join(self._folder.name, "cache")
        with open("hills.yaml", "w", encoding="utf-8") as file:
            file.write(HILLS)

    def test_export_of_path_and_text(self):
        import numpy as np
        for made in (thalweg.Recipe("hills.yaml", talus=4, seed=2), thalweg.Recipe(text=HILLS, talus=4, seed=2)):
            document = made.export("out", no_cache=True)
            self.assertEqual(document["recipes"][0]["exports"][0]["file"], "height.npy")
            np.testing.assert_array_equal(np.load("out/height.npy"), made.run().height)

    def test_lock_and_verify(self):
        thalweg.lock("hills.yaml")
        self.assertEqual(thalweg.verify("hills.yaml")["exit_code"], 0)
        with open("hills.yaml", "w", encoding="utf-8") as file:
            file.write(HILLS.replace("16", "4"))
        self.assertEqual(thalweg.verify("hills.yaml")["exit_code"], 1)

    def test_compare(self):
        with open("trial.yaml", "w", encoding="utf-8") as file:
            file.write(TRIAL)
        document = thalweg.compare("trial.yaml")
        self.assertTrue(document["format"].startswith("thalweg.compare/"))

    def test_faults(self):
        with open("bad.yaml", "w", encoding="utf-8") as file:
            file.write(HILLS.replace("olsen", "olsn"))
        with self.assertRaises(thalweg.CommandError) as caught:
            thalweg.lock("bad.yaml")
        self.assertEqual((caught.exception.line, caught.exception.errors[0]["hint"] is None), (6, False))

    def test_a_text_reads_from_its_own_folder(self):
        os.mkdir("far")
        for folder, frequency in ((".", 2), ("far", 5)):
            with open(os.path.join(folder, "ground.yaml"), "w", encoding="utf-8") as file:
                file.write(f"thalweg: 1\nsize: 8\nnodes:\n  n: {{type: noise.perlin, frequency: {frequency}}}\noutputs: {{n: n}}\n")
        text = "thalweg: 1\nsize: 8\nnodes:\n  g: {type: ./ground.yaml}\noutputs: {n: g.n}\nexport: {n.npy: g.n}\n"
        recipe = thalweg.Recipe(text=text, name="far/recipe.yaml")
        recipe.export("out")
        import numpy as np
        np.testing.assert_array_equal(np.load("out/n.npy"), recipe.run().n)

    def test_names_that_look_like_options(self):
        os.rename("hills.yaml", "-q.yaml")
        self.assertEqual(thalweg.lock("-q.yaml")["exit_code"], 0)
        self.assertEqual(thalweg.Recipe("-q.yaml").export("-out")["exit_code"], 0)

    def test_the_commands_cache(self):
        thalweg.Recipe("hills.yaml").run(cache=True)
        self.assertTrue(os.path.isdir("cache/thalweg"))
        document = thalweg.Recipe("hills.yaml").export("out")
        self.assertEqual(document["computed"], 0)


if __name__ == "__main__":
    unittest.main()
