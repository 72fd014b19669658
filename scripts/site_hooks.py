"""Hooks of the site's generator (mkdocs.yml). They make the menu from the tables of docs/index.md, and turn links to files of the
project into text unless they are pages, since the site does not have those files."""

import pathlib
import re

LINK = re.compile(r"(?<!!)\[((?:[^\]\[]|\[[^\]]*\])*)\]\((\.\./[^)\s]*)\)")
ROW = re.compile(r"\| \[([^\]]+)\]\(([^)#\s]+\.md)\) \|")


def menu(docs):
    """[(group, [(title, page)])]: the headings of docs/index.md, each with the first page of every row below it."""
    groups = []
    for line in (docs / "index.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            groups.append((line[3:], []))
        elif row := ROW.match(line):
            groups[-1][1].append(row.groups())
    return groups


def on_config(config, **_):
    groups = menu(pathlib.Path(config["docs_dir"]))
    config["nav"] = [{"Home": "index.md"}, *({group: [{title: page} for title, page in pages]} for group, pages in groups)]
    return config


def on_page_markdown(markdown, page, config, **_):
    docs = pathlib.Path(config["docs_dir"]).resolve()
    folder = pathlib.Path(page.file.abs_src_path).parent

    def outside(link):
        target = (folder / link.group(2).split("#")[0]).resolve()
        if docs in target.parents:
            return link.group(0)
        text = link.group(1)
        path = str(target.relative_to(docs.parent))
        return text if text.strip("`").endswith(target.name) else f"{text} (`{path}`)"

    return LINK.sub(outside, markdown)
