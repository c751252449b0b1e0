"""Client of the Mien face recognition API."""

from .box import box_of
from .client import Client
from .errors import MienError, MienNetworkError, MienTimeoutError
from .photo import Photo

__all__ = ["Client", "MienError", "MienNetworkError", "MienTimeoutError", "Photo", "box_of"]
