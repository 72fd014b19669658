"""What the site's generator does beside its own (mkdocs.yml, hooks). Links from pages to files of the project that are no
pages become text, since the site does not have those files. The pages of docs/reference, which are generated, are put into
the menu."""

import pathlib
import re

LINK = re.compile(r"(?<!!)\[((?:[^\]\[]|\[[^\]]*\])*)\]\((\.\./[^)\s]*)\)")


def on_config(config, **_):
    docs = pathlib.Path(config["docs_dir"])
    pages = sorted(str(page.relative_to(docs)) for page in (docs / "reference").glob("*.md"))
    config["nav"].append({"Reference": pages})
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
