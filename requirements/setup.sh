# shellcheck shell=sh
# Makes the environment, and installs the pinned packages when they or pyproject.toml changed. Sourced by run and check,
# after `start_here "$0"` has gone to the checkout.
#   setup table   what playing needs          setup test   what ./check needs
# JURADO_PYTHON names the Python that a new environment is made with, JURADO_VENV another folder for it.

say() { printf '%s\n' "$*" >&2; }

# Names that were given from where the person stands must not change their meaning in the checkout.
absolute() {
    case $1 in
        /*) printf '%s\n' "$1" ;;
        *) printf '%s\n' "$2/$1" ;;
    esac
}

start_here() {
    stood=$PWD
    cd "$(dirname "$1")" || return 1
    VENV=$(absolute "${JURADO_VENV:-$PWD/.venv}" "$stood")
    if [ -n "${JURADO_HOME:-}" ]; then
        JURADO_HOME=$(absolute "$JURADO_HOME" "$stood")
        export JURADO_HOME
    fi
}

find_python() {
    for python in ${JURADO_PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
            printf '%s\n' "$python"
            return 0
        fi
    done
    say "Jurado needs Python 3.11, 3.12 or 3.13, and none was found. Install one (on Debian: apt install python3-venv)"
    say "or name it: JURADO_PYTHON=/path/to/python3 $0"
    return 1
}

# What an environment for $1 was made of: another checkout's, another lock's or a moved one is made anew.
made_of() {
    printf '%s %s\n%s\n' "$1" "$(cat pyproject.toml "requirements/$1.txt" | cksum)" "$PWD in $VENV"
}

# What the tests in a browser take from npm. Where it cannot be had, they are skipped and say so.
npm_packages() {
    command -v npm >/dev/null || return 0
    wanted=$(cksum <tests/package-lock.json)
    [ "$(cat tests/node_modules/installed 2>/dev/null || true)" != "$wanted" ] || return 0
    say "Installing what the tests take from npm ..."
    if npm ci --prefix tests --ignore-scripts --no-audit --no-fund --silent; then
        printf '%s\n' "$wanted" >tests/node_modules/installed
    fi
}

works() { "$VENV/bin/python" -c 'import pip' 2>/dev/null; }

setup() {
    installed=$(cat "$VENV/installed" 2>/dev/null || true)
    if [ "$installed" = "$(made_of "$1")" ] || [ "$installed" = "$(made_of test)" ]; then
        if [ -x "$VENV/bin/jurado" ] && "$VENV/bin/python" -c '' 2>/dev/null; then
            return 0
        fi
    fi
    case $installed in
        "" | *"$PWD in $VENV"*) ;;
        *) rm -rf "$VENV" ;;
    esac
    if [ -e "$VENV" ] && ! works; then
        if [ ! -e "$VENV/pyvenv.cfg" ]; then
            say "$VENV is there and is no environment of Python's. Nothing was done. Name another with JURADO_VENV."
            return 1
        fi
        rm -rf "$VENV"
    fi
    if [ ! -e "$VENV" ]; then
        python=$(find_python) || return 1
        say "Making the environment in $VENV ..."
        "$python" -m venv "$VENV" || {
            rm -rf "$VENV"
            say "Python could not make an environment. On Debian: apt install python3-venv. Then start again."
            return 1
        }
    fi
    rm -f "$VENV/installed"
    say "Installing the pinned packages; the first time this takes a minute or two ..."
    if ! { "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
            -r "requirements/$1.txt" &&
        "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
            --editable . ; }; then
        say "The packages could not be installed (the lines above say why). Is there a network? Then start again."
        return 1
    fi
    made_of "$1" >"$VENV/installed"
}
