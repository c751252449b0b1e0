"""Client of the Mien face recognition API."""

from .client import Client
from .errors import MienError, MienNetworkError, MienTimeoutError
from .fields import Photo, box_of

__all__ = ["Client", "MienError", "MienNetworkError", "MienTimeoutError", "Photo", "box_of"]
