#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a wheel of the package with library, command and what they need beside glibc: no compiler and no other package
of the system is needed where it is installed.

usage: wheel.py VERSION LIBRARY COMMAND LICENSE FOLDER
"""
import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

# What every Linux has whose glibc is new enough (PEP 600).
OF_THE_SYSTEM = re.compile(r"^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so)")
TIME = (1980, 1, 1, 0, 0, 0)  # the same inputs give the same bytes

METADATA = """Metadata-Version: 2.1
Name: thalweg
Version: {version}
Summary: Terrain from recipes, as NumPy arrays
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown

Terrain from recipes: noise, erosion, rivers, masks, measures and pictures, computed in parallel, cached by content, with
the same bytes on every machine.

    import thalweg
    hills = thalweg.Recipe("hills.yaml").run()
    hills.height  # a NumPy array
"""


def needed(file):
    """The shared libraries that a program needs, by file name."""
    lines = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout.splitlines()
    found = {}
    for line in lines:
        match = re.match(r"\s*(\S+) => (\S+) \(", line)
        if "not found" in line:
            sys.exit(f"{file} needs {line.split()[0]}, which is not here")
        if match and not OF_THE_SYSTEM.match(match[1]) and "libthalweg" not in match[1]:
            found[match[1]] = match[2]
    return found


def gather(package, library, command):
    """Copies the package's programs into its _bin, with the libraries that they need beside them."""
    folder = os.path.join(package, "_bin")
    os.mkdir(folder)
    soname = re.sub(r"(\.so\.\d+\.\d+).*", r"\1", os.path.basename(os.path.realpath(library)))
    sources = {soname: library, "thalweg": command}
    for file in (library, command):
        sources.update(needed(file))
    for name, source in sources.items():
        target = os.path.join(folder, name)
        shutil.copyfile(os.path.realpath(source), target)
        os.chmod(target, 0o755)
        subprocess.run(["strip", "--strip-unneeded", target], check=True)
        subprocess.run(["patchelf", "--force-rpath", "--set-rpath", "$ORIGIN", target], check=True)


def tag():
    libc, version = platform.libc_ver()
    if libc != "glibc":
        sys.exit("a wheel for this system needs glibc")
    return f"py3-none-manylinux_{version.replace('.', '_')}_{platform.machine()}"


def write(tree, path, info):
    """Packs a folder, with the list of its files that pip checks."""
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(name, data, mode):
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)

        for folder, folders, files in os.walk(tree):
            folders.sort()
            for file in sorted(files):
                source = os.path.join(folder, file)
                name = os.path.relpath(source, tree)
                with open(source, "rb") as opened:
                    data = opened.read()
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                record.append(f"{name},sha256={digest},{len(data)}")
                add(name, data, 0o755 if os.access(source, os.X_OK) else 0o644)
        record.append(f"{info}/RECORD,,")
        add(f"{info}/RECORD", "\n".join(record) + "\n", 0o644)


def main(version, library, command, licence, out):
    for tool in ("ldd", "strip", "patchelf"):
        if not shutil.which(tool):
            sys.exit(f"a wheel needs the program {tool}")
    info, name = f"thalweg-{version}.dist-info", f"thalweg-{version}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as tree:
        package = os.path.join(tree, "thalweg")
        shutil.copytree(os.path.join(os.path.dirname(os.path.abspath(__file__)), "thalweg"), package,
                        ignore=shutil.ignore_patterns("__pycache__", "_bin"))
        gather(package, library, command)
        os.mkdir(os.path.join(tree, info))
        texts = {"METADATA": METADATA.format(version=version),
                 "WHEEL": f"Wheel-Version: 1.0\nGenerator: thalweg\nRoot-Is-Purelib: false\nTag: {tag()}\n",
                 "entry_points.txt": "[console_scripts]\nthalweg = thalweg._command:main\n"}
        for file, text in texts.items():
            with open(os.path.join(tree, info, file), "w", encoding="utf-8") as opened:
                opened.write(text)
        shutil.copyfile(licence, os.path.join(tree, info, "LICENSE"))
        os.makedirs(out, exist_ok=True)
        write(tree, os.path.join(out, name), info)
    print(os.path.join(out, name))


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
