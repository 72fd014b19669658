#!/usr/bin/env python3
"""Checks that the picture of the units names every policy: picture.py PROGRAM PICTURE.svg"""

import json
import pathlib
import re
import subprocess
import sys

listed = json.loads(subprocess.run([sys.argv[1], "list", "policies", "--json"], check=True, capture_output=True).stdout)["policies"]
words = set(re.findall(r"\w+", pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")))
parts = ("work_distributor.sm_order", "work_distributor.division", "sm.carveout", "sm.l1.", "l2.")  # of a unit, for which the picture has no room
names = [entry["name"] for entry in listed if not entry["parameter"].startswith(parts) and "@" not in entry["name"]]
missing = [name for name in names if name not in words]
if missing or not names:
    sys.exit(f"{sys.argv[2]}: does not name {', '.join(missing) or 'any policy'}")
