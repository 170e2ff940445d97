#!/usr/bin/env python3
"""Runs a notebook from its first cell to its last, in the current folder; an error ends it.

Usage: run_notebook.py NOTEBOOK
"""

import sys

import nbformat
from nbclient import NotebookClient


def main():
    notebook = nbformat.read(sys.argv[1], 4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": "."}}).execute()
    print(f"ok {sys.argv[1]}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")


if __name__ == "__main__":
    main()
