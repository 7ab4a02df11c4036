#!/bin/sh
# The last thing at switching off, once nothing is written any more: three long flashes, then the plug may be pulled.
# systemd runs it from /usr/lib/systemd/system-shutdown/ with poweroff, halt, reboot or kexec as its argument.
[ "$1" = poweroff ] || [ "$1" = halt ] || exit 0
SETTINGS=${JURADO_SETTINGS:-/var/lib/jurado/settings.toml}
command -v pinctrl >/dev/null || exit 0
grep -Eq '^[[:space:]]*driver[[:space:]]*=[[:space:]]*"lgpio"' "$SETTINGS" 2>/dev/null || exit 0
pin=$(sed -n 's/^[[:space:]]*lamp_pin[[:space:]]*=[[:space:]]*\("none"\|[0-9]*\).*/\1/p' "$SETTINGS" | tail -n 1)
pin=${pin:-18}
[ "$pin" != '"none"' ] || exit 0
for _ in 1 2 3; do
    pinctrl set "$pin" op dh
    sleep 0.6
    pinctrl set "$pin" op dl
    sleep 0.3
done
