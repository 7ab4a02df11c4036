"""The appliance: cameras, buttons and lamp, the station that makes rolls of photographs, and the service around them.

`service` puts everything together, `cli` is the command, `config` the settings. Drivers are imported here alone, late.
"""

import os
from pathlib import Path

from engine.words import add_catalogues

add_catalogues(Path(__file__).parent)

# NumPy's own threads wait for one another where other things run too: on a busy machine they make a reading slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
