"""Applications: guests that use the library and do not know each other."""

__all__: list[str] = []
