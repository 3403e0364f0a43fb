"""Executes the notebooks of this folder; an exception in a cell is an error.

    python execute.py            # checks that they run
    python execute.py --write    # stores their outputs as well

It needs nbclient and ipykernel, and the module that is installed beside them.
"""

import argparse
import json
import pathlib
import sys

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = pathlib.Path(__file__).parent


def execute(path, write):
    """True if all cells of a notebook run."""
    notebook = nbformat.read(path, as_version=4)
    try:
        NotebookClient(
            notebook,
            timeout=600,
            kernel_name="python3",
            coalesce_streams=True,
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(FOLDER)}},
        ).execute()
    except CellExecutionError as error:
        print(f"{path.name}: {error}", file=sys.stderr)
        return False
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    shown = sum("image/svg+xml" in output.get("data", {}) for output in outputs)
    print(f"{path.name}: {len(notebook.cells)} cells, {shown} pictures")
    if write:
        store(path, notebook)
    return True


def store(path, notebook):
    """Writes a notebook with its outputs, without what differs from run to run."""
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        for output in cell.get("outputs", ()):
            # The picture itself is enough.
            if "image/svg+xml" in output.get("data", {}):
                output.data.pop("text/html", None)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = {"kernelspec": kernel}
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Execute the notebooks of this folder.")
    parser.add_argument("--write", action="store_true", help="store the outputs")
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path, help="all of the folder by default")
    options = parser.parse_args()
    paths = options.notebooks or sorted(FOLDER.glob("*.ipynb"))
    done = [execute(path, options.write) for path in paths]
    sys.exit(0 if done and all(done) else 1)
