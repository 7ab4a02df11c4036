#!/bin/sh
# Puts Jurado on a Raspberry Pi: packages, its own user, /opt/jurado, a service that starts at boot.
#   sudo systemd/install.sh                  install, or update to this checkout; games and settings are kept
#   sudo systemd/install.sh --plan           only say what it would do
#   sudo systemd/install.sh --wheels FOLDER  take the libraries from a folder that systemd/wheels.py has filled
#   sudo systemd/install.sh uninstall        take it away again; /var/lib/jurado with the games stays
#   sudo systemd/install.sh uninstall --with-games    the games as well
# --yes asks nothing. An update that does not come up is taken back by itself.
set -eu
umask 022

SOURCE=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
PREFIX=/opt/jurado
STATE=/var/lib/jurado
UNIT=/etc/systemd/system/jurado.service
AVAHI=/etc/avahi/services/jurado.service
# Switching off by the button: what waits for it, what does it, and what shows that it is done.
POWEROFF=/etc/systemd/system/jurado-poweroff
LAMP=/usr/lib/systemd/system-shutdown/jurado-lamp
PACKAGES="python3-venv avahi-daemon python3-lgpio python3-picamera2"
ROOM_MB=900
COMES_UP_S=600

say() { printf '%s\n' "$*"; }

fail() {
    say "$*" >&2
    exit 1
}

check_machine() {
    [ "$(id -u)" -eq 0 ] || fail "This needs root. Nothing was changed. Start it with sudo: sudo $0"
    [ "$(getconf LONG_BIT)" = 64 ] || fail \
        "This is a 32-bit system, and the library that reads dice exists for 64-bit ones only. Nothing was changed." \
        "Install the 64-bit Raspberry Pi OS (it runs on a Pi 3, 4, 5 and Zero 2 W)."
    ID='' VERSION_ID='' PRETTY_NAME=''
    # shellcheck source=/dev/null
    [ ! -r /etc/os-release ] || . /etc/os-release
    debian=0
    [ "$ID" != debian ] || debian=${VERSION_ID:-13}
    [ "$debian" -ge 12 ] 2>/dev/null || fail \
        "This is ${PRETTY_NAME:-an unknown system}, and Jurado installs itself on the 64-bit Raspberry Pi OS" \
        "(Debian 13, or 12). Nothing was changed."
    [ -d /run/systemd/system ] || fail "systemd does not run here. Nothing was changed. Use the 64-bit Raspberry Pi OS."
    /usr/bin/python3 -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null || fail \
        "Jurado needs the system's own Python to be 3.11, 3.12 or 3.13 (/usr/bin/python3). Nothing was changed."
    [ "$debian" -eq 13 ] || say "Note: made for Raspberry Pi OS on Debian 13 (Trixie); this is $PRETTY_NAME."
}

check_source() {
    free=$(df --output=avail -m "$(dirname "$PREFIX")" | tail -n 1)
    [ "$free" -ge "$ROOM_MB" ] || fail \
        "Only $((free)) MB are free, and Jurado needs $ROOM_MB. Nothing was changed. Make room, then start again."
    [ -z "$WHEELS" ] || ls "$WHEELS"/*.whl >/dev/null 2>&1 || fail \
        "There are no wheels in $WHEELS. Nothing was changed. Fill it on a computer with internet:" \
        "python3 systemd/wheels.py FOLDER"
}

missing_packages() {
    for package in $PACKAGES; do
        dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            printf '%s ' "$package"
    done
}

# Which Jurado a checkout holds: its version, and the commit where git can tell.
version_of() {
    number=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$1/pyproject.toml")
    commit=$(git -c safe.directory="$1" -C "$1" rev-parse --short HEAD 2>/dev/null || true)
    say "$number${commit:+ ($commit)}"
}

# What the libraries of a release were made from; the next release takes them over where this is the same.
libraries_of() { /usr/bin/python3 --version && cat "$1/requirements/table.txt" "$1/requirements/camera.txt"; }

installed() { readlink "$PREFIX/current" 2>/dev/null || true; }

plan_install() {
    old=$(installed)
    say "This installs Jurado $(version_of "$SOURCE") from $SOURCE:"
    missing=$(missing_packages)
    [ -z "$missing" ] || say "  packages   $missing(apt)"
    say "  user       jurado, who may use camera and pins (groups video, gpio), without a password"
    if [ -n "$WHEELS" ]; then from=$WHEELS; else from="the internet (pip, pinned)"; fi
    if takes_over "$old"; then from="those that are installed"; fi
    say "  program    $PREFIX, with its libraries from $from"
    say "  state      $STATE: games, photographs, settings.toml; what is there stays"
    say "  service    jurado.service, started now and at every boot; jurado-poweroff.path; announced by avahi"
    [ -z "$old" ] || say "Jurado $(cat "$PREFIX/$old/version") runs until the new one is ready, and again if that one does not come up."
}

plan_uninstall() {
    say "This removes the service and $PREFIX."
    if [ -n "$WITH_GAMES" ]; then
        say "It DELETES $STATE: every game, photograph and setting, and the user jurado."
    else
        say "Games, photographs and settings stay in $STATE."
    fi
}

ask() {
    [ -z "$PLAN" ] || exit 0
    if [ -z "$YES" ] && [ -t 0 ]; then
        printf 'Go on? [Y/n] '
        read -r answer
        case $answer in
            "" | [yYsSjJ]*) ;;
            *) fail "Nothing was changed." ;;
        esac
    fi
}

install_packages() {
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    say "Installing packages ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update --quiet || say "Note: the package lists could not be refreshed; the known ones are used."
    for package in $missing; do
        apt-get install --yes --quiet --no-install-recommends "$package" && continue
        # libcamera and lgpio fit the system's Python only, so they come from apt, never from pip.
        case $package in
            python3-venv) fail "python3-venv could not be installed. Nothing of Jurado was changed." ;;
            python3-picamera2) say "Note: no $package here. USB cameras and phones work without; set camera.backend." ;;
            python3-lgpio) say "Note: no $package here. Buttons need it; the phones have the same. Set panel.driver." ;;
            *) say "Note: no $package here. Phones find the page by its number all the same." ;;
        esac
    done
}

make_user() {
    for group in video gpio; do
        getent group "$group" >/dev/null || groupadd --system "$group"
    done
    getent passwd jurado >/dev/null ||
        useradd --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin jurado
    usermod --append --groups video,gpio jurado
}

# Whether a release ($1, below $PREFIX) has the very libraries that this checkout wants.
takes_over() {
    [ -n "$1" ] && [ -e "$PREFIX/$1/libraries" ] && libraries_of "$SOURCE" | cmp -s - "$PREFIX/$1/libraries"
}

# Builds the new release beside the one that runs; what fails here leaves that one alone.
build_release() {
    old=$(installed)
    number=$(find "$PREFIX/releases" -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null | sort -n | tail -n 1)
    NEW=releases/$((${number:-0} + 1))
    at=$PREFIX/$NEW
    mkdir -p "$at"
    trap 'rm -rf "$at" "${copy:-}"' EXIT
    trap 'exit 1' INT TERM HUP
    python=$at/venv/bin/python
    pip="$python -m pip --disable-pip-version-check --no-input"
    if takes_over "$old"; then
        say "Installing Jurado in $at; its libraries are there already ..."
        # The same files, not copies; pip puts new files in the place of those that it changes.
        cp -al "$PREFIX/$old/venv" "$at/venv"
        find "$at/venv/bin" -type f -exec sed -i "s|$PREFIX/$old/venv|$at/venv|g" {} +
    else
        say "Installing Jurado in $at; its libraries take some minutes ..."
        # apt's Python and no other: libcamera is built for it. System packages show through; the pinned ones go before.
        /usr/bin/python3 -m venv --system-site-packages "$at/venv"
        from=""
        [ -z "$WHEELS" ] || from="--no-index --find-links $WHEELS"
        # shellcheck disable=SC2086
        $pip install --quiet $from --only-binary :all: --require-hashes -r "$SOURCE/requirements/table.txt" || return 1
        # In the place of apt's build, which may have been made for another numpy: then picamera2 can't be imported.
        # shellcheck disable=SC2086
        $pip install --quiet $from --only-binary :all: --require-hashes --no-deps -r "$SOURCE/requirements/camera.txt" ||
            say "Note: simplejpeg could not be installed; if the Pi camera does not start, jurado doctor says why."
    fi
    # From a copy, so that building leaves nothing of root's in your checkout.
    copy=$(mktemp -d)
    (cd "$SOURCE" && tar -cf - --exclude=./.git --exclude='./.venv*' --exclude=./build --exclude=node_modules .) |
        tar -xf - -C "$copy"
    $pip install --quiet --no-index --no-deps --no-build-isolation --force-reinstall "$copy" || return 1
    rm -rf "$copy"
    cp -R "$SOURCE/docs" "$SOURCE/systemd" "$at/"
    version_of "$SOURCE" >"$at/version"
    libraries_of "$SOURCE" >"$at/libraries"
    trap - EXIT INT TERM HUP
}

install_state() {
    install -d -m 0750 -o jurado -g jurado "$STATE"
    [ -e "$STATE/settings.toml" ] ||
        install -m 0640 -o jurado -g jurado "$SOURCE/systemd/settings.toml" "$STATE/settings.toml"
}

keep_games() {
    [ -n "$(installed)" ] && [ -e "$STATE/journal.sqlite3" ] || return 0
    install -d -m 0750 -o jurado -g jurado "$STATE/backups"
    kept=$STATE/backups/before-update
    rm -f "$kept.new.zip"
    if setpriv --reuid jurado --regid jurado --init-groups env JURADO_HOME="$STATE" \
        "$PREFIX/venv/bin/jurado" backup "$kept.new.zip"; then
        # That of the update before makes room only now.
        mv -f "$kept.new.zip" "$kept.zip"
    else
        say "Note: no copy of the games could be made before the update."
    fi
}

# Makes a release ($1, below $PREFIX) the one that runs, with the files of the system that belong to it.
switch_to() {
    files=$PREFIX/$1/systemd
    ln -sfn "$1" "$PREFIX/current.new"
    mv -T "$PREFIX/current.new" "$PREFIX/current"
    ln -sfn current/venv "$PREFIX/venv"
    ln -sfn current/docs "$PREFIX/docs"
    install -m 0644 "$files/jurado.service" "$UNIT"
    [ ! -d "$(dirname "$AVAHI")" ] || install -m 0644 "$files/jurado.avahi.service" "$AVAHI"
    install -m 0644 "$files/jurado-poweroff.path" "$POWEROFF.path"
    install -m 0644 "$files/jurado-poweroff.service" "$POWEROFF.service"
    install -D -m 0755 "$files/jurado-lamp.sh" "$LAMP"
    systemctl daemon-reload
    systemctl enable --quiet --now jurado-poweroff.path
    systemctl enable --quiet jurado.service
    systemctl reset-failed jurado.service 2>/dev/null || true
    systemctl restart jurado.service && comes_up
}

# Whether the page answers and the models are loaded, in a process that has not ended meanwhile.
comes_up() {
    JURADO_HOME=$STATE timeout "$COMES_UP_S" "$PREFIX/venv/bin/python" "$PREFIX/current/systemd/up.py"
}

install_all() {
    install_packages
    make_user
    mkdir -p "$PREFIX/releases"
    before=$(installed)
    # What an earlier try left half done.
    for left in "$PREFIX"/releases/*; do
        [ "$left" = "$PREFIX/$before" ] || rm -rf "$left"
    done
    build_release || fail "The program could not be installed (the lines above say why). $(unharmed)"
    install_state
    keep_games
    say "Starting it ..."
    if switch_to "$NEW"; then
        [ -z "$before" ] || rm -rf "${PREFIX:?}/$before"
        return 0
    fi
    say "It did not come up. Its last words:" >&2
    journalctl --unit jurado.service --lines 15 --no-pager --output cat >&2 || true
    [ -n "$before" ] || fail "Jurado is installed but does not run. See: journalctl -u jurado -e"
    say "Going back to Jurado $(cat "$PREFIX/$before/version") ..." >&2
    if switch_to "$before"; then
        rm -rf "${PREFIX:?}/$NEW"
        fail "Jurado $(cat "$PREFIX/$before/version") runs again as before. No game was changed."
    fi
    fail "That one does not come up either. See: journalctl -u jurado -e"
}

unharmed() {
    if [ -n "$(installed)" ]; then say "The Jurado that is installed was not touched."; else say "Nothing runs yet."; fi
}

uninstall() {
    systemctl disable --now --quiet jurado.service jurado-poweroff.path 2>/dev/null || true
    rm -f "$UNIT" "$AVAHI" "$POWEROFF.path" "$POWEROFF.service" "$LAMP"
    systemctl daemon-reload
    systemctl reset-failed jurado.service 2>/dev/null || true
    rm -rf "$PREFIX"
    if [ -n "$WITH_GAMES" ]; then
        rm -rf "$STATE"
        userdel jurado 2>/dev/null || true
        say "Jurado was removed, and every game with it."
    else
        say "Jurado was removed. Games, photographs and settings are still in $STATE."
    fi
}

DO=install PLAN='' YES='' WHEELS='' WITH_GAMES=''
while [ $# -gt 0 ]; do
    case $1 in
        install | uninstall) DO=$1 ;;
        --plan) PLAN=yes ;;
        --yes) YES=yes ;;
        --with-games) WITH_GAMES=yes ;;
        --wheels)
            [ $# -gt 1 ] || fail "--wheels needs a folder. Nothing was changed."
            WHEELS=$(readlink -f -- "$2") || fail "$2 is not there. Nothing was changed."
            shift
            ;;
        -h | --help)
            say "Use: $0 [--plan] [--yes] [--wheels FOLDER] | uninstall [--with-games]"
            say "  --plan           say what would be done, and do nothing"
            say "  --yes            do it without asking"
            say "  --wheels FOLDER  take the libraries from FOLDER: no internet is needed"
            say "  uninstall        remove Jurado; the games stay, unless --with-games is given"
            exit 0
            ;;
        *) fail "Unknown option $1. Nothing was changed. Try $0 --help." ;;
    esac
    shift
done
check_machine
if [ "$DO" = uninstall ]; then
    plan_uninstall
    ask
    uninstall
    exit 0
fi
check_source
plan_install
ask
install_all
say ""
say "Jurado runs, and starts again at every boot. Open one of these on a phone in the same network:"
for address in $(hostname -I); do
    case $address in
        *:*) ;;
        *) say "  http://$address:8080" ;;
    esac
done
say "  http://$(hostname).local:8080"
say "Join code and host's PIN: sudo -u jurado JURADO_HOME=$STATE $PREFIX/venv/bin/jurado pin --all"
say "Does everything work? sudo -u jurado JURADO_HOME=$STATE $PREFIX/venv/bin/jurado doctor"
