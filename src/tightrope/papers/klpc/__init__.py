"""KL-pc: Kleinberg and Ligett, on privacy-compatibility for general utility metrics (2010)."""

from tightrope.papers.klpc import compatibility, exponential, families, measures

ITEMS = (
    exponential.LEVEL,
    exponential.COVER,
    compatibility.INCOMPATIBLE,
    compatibility.COMPATIBLE,
    compatibility.SAMPLES,
    *measures.ITEMS,
    *families.ITEMS,
)

__all__ = ["ITEMS"]
