"""Cameras: `base` says what one is; `folder`, `usb`, `picamera` and `rendered` are four; `watched` guards any of them.

Only `base` is handed on here: the others import OpenCV or a driver, and the first page must not wait for those.
"""

from device.camera.base import (
    PATIENCE,
    BadPicture,
    Camera,
    CameraBusy,
    CameraError,
    CameraHung,
    CameraMissing,
    CameraTimeout,
    Frame,
    Glance,
    Image,
)

__all__ = [
    "PATIENCE",
    "BadPicture",
    "Camera",
    "CameraBusy",
    "CameraError",
    "CameraHung",
    "CameraMissing",
    "CameraTimeout",
    "Frame",
    "Glance",
    "Image",
]
