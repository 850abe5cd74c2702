# SPDX-License-Identifier: MIT
"""Runs every program of docs/python.md, each by itself, in a folder with the recipes of graphs/."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class Page(unittest.TestCase):
    def test_every_program_runs(self):
        with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as page:
            programs = re.findall(r"^```python\n(.*?)^```", page.read(), re.M | re.S)
        self.assertEqual(len(programs), 6)
        for number, program in enumerate(programs):
            with tempfile.TemporaryDirectory() as folder, self.subTest(number):
                shutil.copy(os.path.join(ROOT, "graphs", "olsen-hills.yaml"), folder)
                environment = {**os.environ, "XDG_CACHE_HOME": folder}
                done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment,
                                      capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr.replace("Invalid -W option ignored: invalid module name: 'thalweg'\n", "")),
                                 (0, ""))
                self.assertTrue(done.stdout if number != 0 else os.path.exists(os.path.join(folder, "hills.png")))


if __name__ == "__main__":
    unittest.main()
