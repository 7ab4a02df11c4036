"""The appliance in a virtual machine: installed, pressed, unplugged, killed and cut off from power, as on a table.

`python -m tests.appliance --lab FOLDER [names…]` runs the scenarios; docs/platform.md tells what the lab is and what
they gave. They take hours, so pytest does not collect them.
"""
