# shellcheck shell=sh
# Makes the environment, and installs the pinned packages when they or pyproject.toml changed. Sourced by run and check.
#   setup table   what playing needs          setup test   what ./check needs
# JURADO_PYTHON names another Python, JURADO_VENV another folder for the environment.

VENV=${JURADO_VENV:-.venv}

say() { printf '%s\n' "$*" >&2; }

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

setup() {
    wanted="$1 $(cat pyproject.toml "requirements/$1.txt" | cksum)"
    installed=$(cat "$VENV/installed" 2>/dev/null || true)
    test_wanted="test $(cat pyproject.toml requirements/test.txt | cksum)"
    if [ -x "$VENV/bin/jurado" ] && { [ "$installed" = "$wanted" ] || [ "$installed" = "$test_wanted" ]; }; then
        return 0
    fi
    python=$(find_python) || return 1
    if [ ! -x "$VENV/bin/python" ]; then
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
    printf '%s\n' "$wanted" >"$VENV/installed"
}
