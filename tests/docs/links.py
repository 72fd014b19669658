#!/usr/bin/env python3
"""Checks that the links of the documentation lead somewhere: to files, to headings; that docs/index.md has a row for each
page; and that the README stays short.

    links.py SOURCE_FOLDER

Links to other sites are not followed. Exit code 1, with a line for each, if there are any that lead nowhere.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_WORDS = 900  # of the README
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
from site_hooks import menu  # noqa: E402

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
CODE = re.compile(r"`[^`]*`")


def prose(path):
    """(line number, text) outside of code blocks."""
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def anchors(path):
    """Of the headings, as GitHub and the site's generator make them."""
    seen, found = {}, set()
    for _, line in prose(path):
        heading = HEADING.match(line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(slug if count == 0 else f"{slug}-{count}")
    return found


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "examples").rglob("*.md"),
                    *(root / "python").rglob("*.md")])
    wrong = []
    for page in pages:
        for number, line in prose(page):
            for target in LINK.findall(CODE.sub("``", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = (page.parent / name).resolve() if name else page
                place = f"{page.relative_to(root)}:{number}: {target}"
                if not file.exists():
                    wrong.append(f"{place}: there is no such file")
                elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                    wrong.append(f"{place}: there is no such heading")
    rows = [page for _, pages in menu(root / "docs") for _, page in pages]
    named = {"index.md", *rows}
    wrong += [f"docs/index.md: has more than one row for {page}" for page in sorted(named) if rows.count(page) > 1]
    there = {str(page.relative_to(root / "docs")) for page in (root / "docs").rglob("*.md")}
    wrong += [f"docs/{page}: has no row in docs/index.md" for page in sorted(there - named)]
    wrong += [f"docs/index.md: has a row for {page}, which is not there" for page in sorted(named - there)]
    words = len((root / "README.md").read_text(encoding="utf-8").split())
    if words > MAX_WORDS:
        wrong.append(f"README.md: has {words} words, allowed: {MAX_WORDS}; the rest belongs into a page of docs/index.md")
    print("\n".join(wrong) if wrong else f"{len(pages)} pages: every link leads somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
