from tightrope.samplers import SYSTEM, SeededSource
from tightrope.samplers.sources import SystemSource, uniform_numbers


def test_the_system_source_cannot_be_repeated():
    assert not SYSTEM.seeded
    assert SystemSource().bytes(32) != SystemSource().bytes(32)


def test_a_seed_gives_the_same_stream_however_it_is_cut():
    whole = SeededSource(3).bytes(200_000)
    cut = SeededSource(3)
    sizes = [0, 1, 7, 65_535, 1, 65_536, 68_920]
    assert b"".join(cut.bytes(size) for size in sizes) == whole
    assert len(whole) == sum(sizes)


def test_different_seeds_give_different_streams():
    starts = {SeededSource(seed).bytes(16) for seed in range(-50, 50)}
    assert len(starts) == 100


def test_the_stream_of_a_seed_never_changes():
    assert SeededSource(0).bytes(8).hex() == "ac24e00d1756c5f9"


def test_uniform_numbers_of_any_size_are_never_wrapped():
    for size in (2**62, 2**63, 2**64 - 2, 2**64, 10**40):
        drawn = uniform_numbers(size, 80, SeededSource(1)).tolist()
        assert 0 <= min(drawn) < size // 2 <= max(drawn) < size  # fails once in 2^79
