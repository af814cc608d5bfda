"""The packings and bucket layouts of schemas/README.md, read literally."""

from collections.abc import Iterator

CORE = 512
USAGE_TOP = 226
RATIO_FULL = 101
RUNNABLE_LAST = 15
# How many buckets each layout has; a packed bucket beyond it is not of that layout.
USAGE_BUCKETS = USAGE_TOP + 1
RUNNABLE_BUCKETS = RUNNABLE_LAST + 1
SECOND_ORDER_NUMBERS = 19
BITS_OF_A_RECORD = 63
TOTAL_MAX = 2**53

Histogram = dict[int, int]


def varints(packed: bytes) -> Iterator[int]:
    """Unsigned LEB128 numbers. ValueError when the bytes end inside one."""
    value = shift = 0
    open_number = False
    for byte in packed:
        value |= (byte & 0x7F) << shift
        shift += 7
        open_number = byte >= 0x80
        if not open_number:
            yield value
            value = shift = 0
    if open_number:
        raise ValueError("truncated varint")


def pack_varints(numbers: list[int]) -> bytes:
    packed = bytearray()
    for number in numbers:
        while number >= 0x80:
            packed.append(number & 0x7F | 0x80)
            number >>= 7
        packed.append(number)
    return bytes(packed)


def numbers_of_a_record(packed: bytes) -> list[int]:
    """Varints as one record may carry them: below 2^63 each."""
    numbers = list(varints(packed))
    if any(number >= 2**BITS_OF_A_RECORD for number in numbers):
        raise ValueError("varint too large")
    return numbers


def unpack_histogram(packed: bytes, buckets: int) -> Histogram:
    """{bucket: count}; ValueError when it is no histogram of a layout with so many buckets."""
    numbers = numbers_of_a_record(packed)
    if len(numbers) % 2:
        raise ValueError("a bucket without a count")
    counts: Histogram = {}
    bucket = 0
    for step, count in zip(numbers[::2], numbers[1::2], strict=True):
        if counts and step == 0:
            raise ValueError("buckets do not ascend")
        bucket += step
        if bucket >= buckets:
            raise ValueError(f"bucket {bucket} of {buckets}")
        if count == 0:
            raise ValueError("a bucket with count 0")
        counts[bucket] = count
    if sum(counts.values()) > TOTAL_MAX:
        raise ValueError("total too large")
    return counts


def pack_histogram(counts: Histogram) -> bytes:
    numbers: list[int] = []
    previous = 0
    for bucket in sorted(counts):
        numbers += [bucket - previous, counts[bucket]]
        previous = bucket
    return pack_varints(numbers)


def add_histogram(total: Histogram, added: Histogram) -> None:
    for bucket, count in added.items():
        total[bucket] = total.get(bucket, 0) + count


def usage_bucket(usage: int, elapsed: int) -> int:
    """Bucket of a usage over an elapsed time in the same unit, layout_version 1."""
    if usage == 0:
        return 0
    v = CORE * usage // elapsed
    if v < 16:
        return 1
    if v >= CORE * CORE:
        return USAGE_TOP
    e = v.bit_length() - 5
    return 2 + 16 * e + (v >> e) - 16


def usage_lower_bound(bucket: int) -> float:
    """Cores at the bucket's lower edge; bucket 1 holds anything above 0."""
    if bucket <= 1:
        return 0.0
    e, s = divmod(bucket - 2, 16)
    return (16 + s) * 2**e / CORE


def usage_value(bucket: int) -> float:
    """Cores that stand for a bucket in quantiles: its middle."""
    if bucket == 0:
        return 0.0
    if bucket == 1:
        return 1 / 64
    if bucket == USAGE_TOP:
        return 512.0
    e, s = divmod(bucket - 2, 16)
    return ((16 + s) * 2**e + (17 + s) * 2**e) / 2 / CORE


def integer_bucket(n: int) -> int:
    if n < 16:
        return n
    e = n.bit_length() - 5
    return 16 * e + (n >> e)


def integer_value(bucket: int) -> float:
    if bucket < 32:
        return float(bucket)
    e = bucket // 16 - 1
    s = bucket - 16 * e
    return s * 2**e + (2**e - 1) / 2


def ratio_bucket(throttled: int, periods: int) -> int:
    if throttled == 0:
        return 0
    if throttled >= periods:
        return RATIO_FULL
    return 1 + 100 * throttled // periods


def ratio_value(bucket: int) -> float:
    if bucket == 0:
        return 0.0
    if bucket == RATIO_FULL:
        return 1.0
    return (bucket - 0.5) / 100


def runnable_value(bucket: int) -> float:
    """Middle of [8 x 2^j, 16 x 2^j) over integers; the open last bucket stands for its lower edge."""
    if bucket < 8:
        return float(bucket)
    j = bucket - 8
    if bucket == RUNNABLE_LAST:
        return float(8 * 2**j)
    return (8 * 2**j + 16 * 2**j - 1) / 2


def quantile_bucket(counts: Histogram, per_mille: int) -> int | None:
    """The first bucket whose cumulated count reaches max(1, ceil(m x total / 1000)); None when nothing was counted."""
    total = sum(counts.values())
    rank = max(1, -(-per_mille * total // 1000))
    cumulated = 0
    for bucket in sorted(counts):
        cumulated += counts[bucket]
        if cumulated >= rank:
            return bucket
    return None


def nearest_rank(values: list[float], per_mille: int) -> float | None:
    """The same rank rule over plain values."""
    if not values:
        return None
    rank = max(1, -(-per_mille * len(values) // 1000))
    return sorted(values)[rank - 1]


def fnv1a_64(text: str) -> int:
    """FNV-1a over ASCII, as a signed 64-bit number."""
    value = 0xCBF29CE484222325
    for byte in text.encode("ascii"):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value - 2**64 if value >= 2**63 else value
