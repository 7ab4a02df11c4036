#!/bin/sh
# Pins every package with its hashes, for Python 3.11 to 3.13 and every platform, from pyproject.toml.
# Run it after a change of the dependencies:  requirements/lock.sh   (needs uv: pip install uv)
set -eu
cd "$(dirname "$0")/.."
compile() {
    uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --quiet "$@"
}
compile pyproject.toml -o requirements/table.txt
compile pyproject.toml --extra test -c requirements/table.txt -o requirements/test.txt
compile pyproject.toml --extra train -c requirements/table.txt -o requirements/train.txt
# What a Pi's environment has beside those, without what it needs in turn (numpy, which is pinned above).
echo 'simplejpeg>=1.8.2' | compile --no-deps - -o requirements/camera.txt
