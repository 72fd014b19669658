#!/usr/bin/env python3
"""Checks that the picture of the units names every policy and every unit of a GPU: picture.py PROGRAM PICTURE.svg MODELS"""

import json
import pathlib
import re
import subprocess
import sys

listed = json.loads(subprocess.run([sys.argv[1], "list", "policies", "--json"], check=True, capture_output=True).stdout)["policies"]
picture = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
words = set(re.findall(r"\w+", picture))
parts = ("work_distributor.sm_order", "work_distributor.division", "sm.carveout", "sm.l1.", "l2.")  # of a unit, for which the picture has no room
names = [entry["name"] for entry in listed if not entry["parameter"].startswith(parts) and "@" not in entry["name"]]
missing = [name for name in names if name not in words]
if missing or not names:
    sys.exit(f"{sys.argv[2]}: does not name {', '.join(missing) or 'any policy'}")

said = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture)).lower()
units = [name for header in pathlib.Path(sys.argv[3]).glob("*/*.h")
         for name in re.findall(r"^class (\w+) final : public Unit ", header.read_text(encoding="utf-8"), re.M)]
others = {"MemoryPort", "Mailbox"}  # of a user's platform
missing = [name for name in units if name not in others and re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower() not in said]
if missing or not units:
    sys.exit(f"{sys.argv[2]}: does not have {', '.join(missing) or 'any unit'}")
