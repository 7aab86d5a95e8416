"""pure-ldp: direct encoding, once for each value."""

from pure_ldp.frequency_oracles.direct_encoding import DEClient
from stopwatch import race


def prepare(categories, epsilon):
    client = DEClient(epsilon, categories, index_mapper=lambda value: value)
    return lambda column: [client.privatise(value) for value in column]


race(prepare, "pure-ldp", form=lambda codes: codes.tolist())
