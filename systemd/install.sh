#!/bin/sh
# Puts Jurado on a Raspberry Pi: packages, its own user, /opt/jurado, a service that starts at boot.
#   sudo systemd/install.sh            install, or update to this checkout; games and settings are kept
#   sudo systemd/install.sh --remove   take it away again; /var/lib/jurado with the games stays
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
# Shadows apt's build in the environment: that one may have been made for another numpy, and picamera2 then won't import.
SIMPLEJPEG=simplejpeg==1.9.0

say() { printf '%s\n' "$*"; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

check_machine() {
    [ "$(id -u)" -eq 0 ] || fail "This needs root. Nothing was changed. Start it with sudo: sudo $0"
    [ "$(getconf LONG_BIT)" = 64 ] || fail \
        "This is a 32-bit system, and the library that reads dice exists for 64-bit ones only. Nothing was changed." \
        "Install the 64-bit Raspberry Pi OS (it runs on a Pi 3, 4, 5 and Zero 2 W)."
    command -v apt-get >/dev/null || fail "This is not a Debian. Nothing was changed. Use the Raspberry Pi OS (64-bit)."
    command -v systemctl >/dev/null || fail "There is no systemd here. Nothing was changed."
    # shellcheck source=/dev/null
    . /etc/os-release
    [ "${VERSION_ID:-0}" -ge 13 ] 2>/dev/null ||
        say "Note: made for Raspberry Pi OS on Debian 13 (Trixie); this is ${PRETTY_NAME:-an unknown system}."
}

install_packages() {
    say "Installing packages ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update --quiet || say "Note: the package lists could not be refreshed; the known ones are used."
    apt-get install --yes --quiet --no-install-recommends python3-venv python3-lgpio avahi-daemon
    # libcamera fits the system's Python only, so it comes from apt, never from pip.
    apt-get install --yes --quiet --no-install-recommends python3-picamera2 ||
        say "Note: there is no python3-picamera2 here. USB cameras and phones work without; set camera.backend."
}

make_user() {
    for group in video gpio; do
        getent group "$group" >/dev/null || groupadd --system "$group"
    done
    getent passwd jurado >/dev/null ||
        useradd --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin jurado
    usermod --append --groups video,gpio jurado
}

install_program() {
    say "Installing Jurado in $PREFIX (the first time this takes some minutes) ..."
    mkdir -p "$PREFIX"
    # apt's Python and no other: libcamera is built for it. System packages show through; the pinned ones go before them.
    [ -x "$PREFIX/venv/bin/python" ] || /usr/bin/python3 -m venv --system-site-packages "$PREFIX/venv"
    pip="$PREFIX/venv/bin/python -m pip --disable-pip-version-check"
    $pip install --quiet --require-hashes -r "$SOURCE/requirements/table.txt"
    $pip install --quiet --no-deps --only-binary :all: "$SIMPLEJPEG" ||
        say "Note: $SIMPLEJPEG could not be installed; if the Pi camera does not start, jurado doctor says why."
    # From a copy, so that building leaves nothing of root's in your checkout.
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    (cd "$SOURCE" && tar -cf - --exclude=./.git --exclude=./.venv --exclude=./build .) | tar -xf - -C "$copy"
    $pip install --quiet --no-deps --no-build-isolation --force-reinstall "$copy"
    rm -rf "$PREFIX/docs"
    cp -R "$SOURCE/docs" "$PREFIX/docs"
}

install_state() {
    install -d -m 0750 -o jurado -g jurado "$STATE"
    [ -e "$STATE/settings.toml" ] ||
        install -m 0640 -o jurado -g jurado "$SOURCE/systemd/settings.toml" "$STATE/settings.toml"
}

install_service() {
    install -m 0644 "$SOURCE/systemd/jurado.service" "$UNIT"
    [ ! -d "$(dirname "$AVAHI")" ] || install -m 0644 "$SOURCE/systemd/jurado.avahi.service" "$AVAHI"
    install -m 0644 "$SOURCE/systemd/jurado-poweroff.path" "$POWEROFF.path"
    install -m 0644 "$SOURCE/systemd/jurado-poweroff.service" "$POWEROFF.service"
    install -D -m 0755 "$SOURCE/systemd/jurado-lamp.sh" "$LAMP"
    systemctl daemon-reload
    systemctl enable --quiet --now jurado-poweroff.path
    systemctl enable --quiet jurado.service
    systemctl restart jurado.service || fail "Jurado was installed but did not start. See: journalctl -u jurado -e"
}

remove() {
    systemctl disable --now --quiet jurado.service jurado-poweroff.path 2>/dev/null || true
    rm -f "$UNIT" "$AVAHI" "$POWEROFF.path" "$POWEROFF.service" "$LAMP"
    systemctl daemon-reload
    rm -rf "$PREFIX"
    say "Jurado was removed. Games, photographs and settings are still in $STATE."
}

check_machine
case ${1:-} in
    --remove)
        remove
        exit 0
        ;;
    "") ;;
    *) fail "Unknown option $1. Nothing was changed. Use: $0 [--remove]" ;;
esac
install_packages
make_user
install_program
install_state
install_service
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
