"""The phone pages: a Flask app that is handed its services. No build step, nothing loaded from outside.

`create_app` makes the app; a blueprint a page; `snapshot` is the versioned full state that every phone sees.
"""

from webui.app import create_app
from webui.settings import WebSettings

__all__ = ["WebSettings", "create_app"]
