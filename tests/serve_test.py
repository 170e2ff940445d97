"""Tests of `ludus serve` over real sockets: every route, caching, streams, WebSockets, and what hostile
clients and files may try. They stand in serve/, one file per theme; most share one server over one small
run.

Usage: serve_test.py PATH_OF_LUDUS [FILTER...]
"""

import sys

from cli.helper import main, test
from serve import access, clients, confined, cuts, limits, logs, paths, routes, seats, sessions, streams, tools  # noqa: F401  each adds its tests
from serve.shared import SHARED


@test
def the_shared_server_ends_cleanly():
    if SHARED:
        SHARED["server"].end()


if __name__ == "__main__":
    sys.exit(main("serve", __doc__))
