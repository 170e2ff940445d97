# Sourced by ./run and ./check: Debian packages, presets, and small helpers for messages.
# shellcheck shell=bash

# what a release build and its programs need
PACKAGES_BUILD=(gcc libc6-dev cmake ninja-build pkg-config libinih-dev libyaml-dev libzstd-dev zlib1g-dev libsqlite3-dev libwebsockets-dev
    libcurl4-openssl-dev ca-certificates)
# what ludus-grpc needs on top, and Python clients of it
PACKAGES_GRPC=(libgrpc-dev libprotobuf-c-dev protobuf-c-compiler protobuf-compiler protobuf-compiler-grpc python3-grpcio python3-protobuf)
# what the games for the browser and the site need on top
PACKAGES_SITE=(clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 nodejs)
# what the tests need on top: second compiler and its tools, WASM, Python oracle, counters, terminal
PACKAGES_CHECK=(libopenmpi-dev openmpi-bin iproute2 g++ clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev libclang-rt-14-dev-wasm32
    clang-format-14 clang-tidy-14 nodejs chromium python3 python3-numpy python3-venv valgrind tmux groff-base openssl dpkg-dev make)

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$1"
    exit "${2:-1}"
}

# Installs what is missing of the named Debian packages and says which; silent when all are there.
need_packages() {
    local missing=() package
    for package in "$@"; do
        if ! dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
            missing+=("$package")
        fi
    done
    [ "${#missing[@]}" -eq 0 ] && return 0
    command -v apt-get >/dev/null || die "missing packages: ${missing[*]}; this system has no apt-get, install them by hand" 1
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "missing packages: ${missing[*]}; become root or install sudo, then run this again" 1
        root=(sudo)
    fi
    say "installing Debian packages: ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${root[@]}" apt-get update -q && "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        die "could not install: ${missing[*]}" 1
    fi
    rm -f "$log"
}

# npm, of whatever origin: it only fetches the node and npm of web/toolchain, which build the site
need_npm() { command -v npm >/dev/null || need_packages npm; }

# build PRESET [cmake -D...]: configures once and builds (only the targets of $target when that is set);
# the log is shown only when it fails.
build() {
    local preset=$1 log
    shift
    mkdir -p build
    log="build/$preset.log"
    if ! { cmake --preset "$preset" "$@" && cmake --build --preset "$preset" ${target:+--target $target}; } >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        say "the $preset build failed; the whole log is $log"
        return 1
    fi
}
