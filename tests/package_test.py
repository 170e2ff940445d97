"""What is installed works from where it lies, and nowhere else: programs with manuals, completions and
share/ludus; a project of others against the library, by pkg-config and by CMake; Debian packages in a
root of their own; the container file where docker has what it needs.

Usage: package_test.py BUILD_FOLDER [FILTER...]
"""

import functools
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from cli.helper import PATIENCE, ROOT, WORK, main, test

BUILD = Path(sys.argv[1]).resolve()
VERSION = re.search(r'LU_VERSION +"([^"]+)"', (ROOT / "include/ludus/version.h").read_text())[1]


def bare(**more):
    """No variable of ours, and a folder that has nothing of the project."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LUDUS_", "PKG_CONFIG", "LD_LIBRARY"))}
    return dict(env, LC_ALL="C.UTF-8", NO_COLOR="1", **{k: str(v) for k, v in more.items()})


def run(*words, env=None, cwd=None, code=0):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env=env or bare(), cwd=cwd or elsewhere(), timeout=PATIENCE)
    assert done.returncode == code, f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-800:]}\n{done.stderr[-800:]}"
    return done.stdout


@functools.cache
def elsewhere():
    folder = Path(tempfile.mkdtemp(prefix="elsewhere-", dir=WORK))
    return folder


@functools.cache
def prefix():
    """Installed, then moved: nothing knows where it was."""
    first, then = WORK / "first", WORK / "moved here"
    run("cmake", "--install", BUILD, "--prefix", first, "--strip")
    first.rename(then)
    return then


@functools.cache
def library():
    return next(prefix().rglob("ludus.pc")).parent.parent


def walks(*words, **env):
    return run(*words, "prospector-v1", env=bare(**env))


# ---- programs ----


@test
def programs_run_from_where_they_lie():
    ludus = prefix() / "bin/ludus"
    for name in ("ludus", "ludus-fetch", "ludus-grpc"):
        assert run(prefix() / "bin" / name, "--version").split()[1] == VERSION
    assert "prospector-profit" in run(ludus, "config", "prospector", "--preset", "prospector-profit", "--show-origin")
    findings = json.loads(run(ludus, "doctor", "--json"))["findings"]
    home = next(f for f in findings if f["name"] == "project folder")
    assert str(prefix() / "share/ludus") in json.dumps(home), home
    run(ludus, "new", "lantern", code=3)
    run(ludus, "train", "cartpole", "--steps", "2k", "--set", "train.environments=16", "--set", "train.horizon=32", "--set", "train.minibatch=256", "--set", "eval.on=false")
    assert list(elsewhere().glob("runs/*/run.json")) or list(elsewhere().glob("runs/*")), "runs go to the current folder"
    model = prefix() / "share/ludus/models/prospector-v1.safetensors"
    assert "prospector" in run(ludus, "eval", model, "--episodes", "2")
    assert "target_boots_life_res" in run(ludus, "config", "craft", "--preset", "craft-boots-life-res")


@test
def mpi_trains_from_where_it_lies():
    if not shutil.which("mpirun") or not (BUILD / "ludus-mpi.so").exists():
        print("    skipped: there is no mpirun, or ludus was built without MPI")
        return
    small = ["--set", "train.environments=16", "--set", "train.horizon=32", "--set", "train.minibatch=256", "--set", "eval.on=false", "--threads", "1"]
    words = [prefix() / "bin/ludus", "train", "cartpole", "--steps", "2k", "--json", "--out", WORK / "mpi-runs", *small]
    env = bare(OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, OMPI_MCA_rmaps_base_oversubscribe=1, OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_mpi_yield_when_idle=1)
    two = json.loads(run("mpirun", "-n", "2", *words, env=env).splitlines()[-1])
    one = json.loads(run(*words, "--set", "train.parts=2").splitlines()[-1])
    assert two["hash"] == one["hash"], (two, one)


@test
def the_site_is_found():
    share = prefix() / "share/ludus"
    child = subprocess.Popen([prefix() / "bin/ludus", "serve", "--port", "0", "--json"], stdout=subprocess.PIPE, env=bare(), cwd=elsewhere())
    try:
        address = json.loads(child.stdout.readline())["address"]
        with urllib.request.urlopen(f"{address}/api/v1/models", timeout=PATIENCE) as answer:
            assert b"prospector-v1" in answer.read()
        for built, name, path in (("web/dist", "site", "/"), ("build/wasm/cartpole.wasm", "wasm", "/wasm/cartpole.wasm")):
            if (ROOT / built).exists():
                assert list((share / name).iterdir())
                with urllib.request.urlopen(address + path, timeout=PATIENCE) as answer:
                    assert answer.status == 200 and answer.read()
            else:
                print(f"    {built} is not built here, and {name} is not looked at")
    finally:
        child.terminate()
        assert child.wait(PATIENCE) == 0


@test
def manuals_and_completions_are_there():
    share = prefix() / "share"
    for name in ("ludus", "ludus-fetch", "ludus-grpc"):
        page = gzip.decompress((share / f"man/man1/{name}.1.gz").read_bytes())
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True)
        assert done.returncode == 0 and not done.stderr and name.upper().encode().replace(b"-", b"\\-") in page.upper().replace(b"\\-", b"-").replace(b"-", b"\\-"), done.stderr[:300]
        run("bash", "-n", share / f"bash-completion/completions/{name}")
        assert (share / f"zsh/vendor-completions/_{name}").read_text().startswith("#compdef")
        assert "complete" in (share / f"fish/vendor_completions.d/{name}.fish").read_text()


@test
def no_file_names_a_place_of_the_build():
    for path in prefix().rglob("*"):
        if path.is_file() and path.suffix in (".pc", ".cmake", ".h", ".ini", ".json", ".proto"):
            assert str(ROOT) not in path.read_text() and "/usr/local" not in path.read_text(), path
    for name in ("ludus", "ludus-grpc"):
        assert str(ROOT).encode() not in (prefix() / "bin" / name).read_bytes(), name


# ---- the library ----


@functools.cache
def outside():
    folder = WORK / "outside"
    shutil.copytree(ROOT / "tests/outside", folder)
    return folder


@test
def a_project_of_others_builds_by_pkg_config():
    env = bare(PKG_CONFIG_PATH=f'{library() / "pkgconfig"}', LIBRARY_PATH=library())
    if " " in str(prefix()):  # which make and pkg-config do not carry: a link does
        (WORK / "plain").symlink_to(prefix())
        plain = WORK / "plain" / library().relative_to(prefix())
        env = bare(PKG_CONFIG_PATH=plain / "pkgconfig", LIBRARY_PATH=plain)
    run("make", "walk", "walk-static", env=env, cwd=outside())
    said = walks(outside() / "walk", LD_LIBRARY_PATH=library())
    assert said.startswith(f"ludus {VERSION}, prospector-v1: 1600 steps") and said == walks(outside() / "walk-static"), said
    run(outside() / "walk", "nope", env=bare(LD_LIBRARY_PATH=library()), code=3)
    assert run("pkg-config", "--modversion", "ludus", env=env).strip() == VERSION


@test
def a_project_of_others_builds_by_cmake():
    build = WORK / "outside-build"
    run("cmake", "-S", outside(), "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix()}")
    run("cmake", "--build", build)
    assert walks(build / "walk-ludus") == walks(build / "walk-static") == walks(build / "walk-ludus", LUDUS_ISA="base")
    wrong = WORK / "wrong"
    wrong.mkdir()
    (wrong / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(wrong C)\nfind_package(ludus 0.9 REQUIRED)\n")
    run("cmake", "-S", wrong, "-B", wrong / "b", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix()}", code=1)


# ---- packages ----


def empty_system(root):
    """No package, and what the scripts of packages need: a shell and ldconfig."""
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "bin", "sbin", "etc", "lib64", "lib/x86_64-linux-gnu"):
        (root / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    for program in ("/bin/sh", "/sbin/ldconfig", "/lib64/ld-linux-x86-64.so.2", "/lib/x86_64-linux-gnu/libc.so.6"):
        if Path(program).exists():
            shutil.copy2(program, root / program[1:])


@test
def debian_packages_install_run_and_go():
    debs, root = WORK / "debs", WORK / "root"
    run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", debs, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")  # xz takes its time
    files = {run("dpkg-deb", "-f", deb, "Package").strip(): deb for deb in debs.glob("*.deb")}
    short = ".".join(VERSION.split(".")[:2])
    mpi = {"ludus-mpi"} if (BUILD / "ludus-mpi.so").exists() else set()
    assert set(files) == {"ludus", f"libludus{short}", "libludus-dev", "ludus-grpc"} | mpi, files
    modules = {name: "ludus-mpi.so" in run("dpkg-deb", "-c", deb) for name, deb in files.items()}
    assert {name for name, has in modules.items() if has} == mpi, modules
    depends = {name: run("dpkg-deb", "-f", deb, "Depends") for name, deb in files.items()}
    assert "libwebsockets" in depends["ludus"] and "libgrpc" not in depends["ludus"] and "libgrpc29" in depends["ludus-grpc"], depends
    assert f"libludus{short} (= {VERSION}-1)" in depends["libludus-dev"], depends
    assert not mpi or "libopenmpi" in depends["ludus-mpi"] and f"ludus (= {VERSION}-1)" in depends["ludus-mpi"], depends
    dpkg = ["dpkg", f"--root={root}", "--force-depends", "--force-unsafe-io", f"--log={WORK}/dpkg.log"]
    empty_system(root)
    if os.geteuid() == 0:
        run(*dpkg, "-i", *files.values())
    else:
        print("    unpacked alone: only root may install into a root of its own")
        for deb in files.values():
            run("dpkg-deb", "-x", deb, root)
    assert run(root / "usr/bin/ludus", "--version").split()[1] == VERSION
    assert "prospector-profit" in run(root / "usr/bin/ludus", "config", "prospector", "--preset", "prospector-profit", "--show-origin")
    for name in files:
        assert (root / "usr/share/doc" / name / "copyright").exists()
    if os.geteuid() == 0:
        run(*dpkg, "-r", *files)
        left = [p for p in (root / "usr").rglob("*") if not p.is_dir()]
        assert not left, left


@test
def the_container_file_builds():
    probe = shutil.which("docker") and subprocess.run(["docker", "image", "inspect", "debian:12-slim"], capture_output=True, timeout=PATIENCE)
    if not probe or probe.returncode != 0:
        print("    skipped: no docker that answers, or it has no image debian:12-slim")
        return
    run("docker", "build", "-f", "Containerfile", "-t", "ludus-test", ".", cwd=ROOT)
    assert run("docker", "run", "--rm", "ludus-test", "--version").split()[1] == VERSION


@test
def the_change_log_tells_of_this_version():
    text = (ROOT / "CHANGELOG.md").read_text()
    assert f"## {VERSION}\n" in text, "no heading of this version"
    assert (ROOT / "packaging/changelog.Debian").read_text().startswith(f"ludus ({VERSION}-1) "), "another version"


if __name__ == "__main__":
    sys.exit(main("package", __doc__))
