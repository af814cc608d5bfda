"""Packings, layouts and quantiles, each worked by hand from schemas/README.md."""

import pytest
from quotascope_reference import packing


def test_varints_are_least_significant_group_first():
    # 300 = 0b10_0101100: low seven bits 0101100 with the high bit, then 10.
    assert packing.pack_varints([0, 127, 128, 300]) == bytes([0x00, 0x7F, 0x80, 0x01, 0xAC, 0x02])
    assert list(packing.varints(bytes([0x00, 0x7F, 0x80, 0x01, 0xAC, 0x02]))) == [0, 127, 128, 300]


@pytest.mark.parametrize("packed", [b"\x80", b"\x01\xff"])
def test_a_number_without_an_end_is_refused(packed):
    with pytest.raises(ValueError, match="truncated"):
        list(packing.varints(packed))


def test_a_histogram_is_steps_and_counts():
    # Buckets 0, 114, 226: steps 0, 114, 112; 114 = 0x72, 112 = 0x70, counts 5, 200 = C8 01, 1.
    counts = {0: 5, 114: 200, 226: 1}
    assert packing.pack_histogram(counts) == bytes([0, 5, 0x72, 0xC8, 0x01, 0x70, 1])
    assert packing.unpack_histogram(bytes([0, 5, 0x72, 0xC8, 0x01, 0x70, 1]), packing.USAGE_BUCKETS) == counts


@pytest.mark.parametrize(
    ("packed", "fault"),
    [
        (bytes([5]), "without a count"),
        (bytes([5, 0]), "count 0"),
        (bytes([5, 1, 0, 1]), "do not ascend"),
        (bytes([0xE3, 0x01, 1]), "bucket 227 of 227"),
        (bytes([5, 0x80]), "truncated"),
    ],
)
def test_what_is_no_histogram_is_refused(packed, fault):
    with pytest.raises(ValueError, match=fault):
        packing.unpack_histogram(packed, packing.USAGE_BUCKETS)


@pytest.mark.parametrize(
    ("usage", "elapsed", "bucket"),
    [
        (0, 10, 0),
        (1, 10**9, 1),
        # v = floor(512 * 15 / 512) = 15 is below 1/32 core, v = 16 is bucket 2.
        (15, 512, 1),
        (16, 512, 2),
        (31, 512, 17),
        # v = 32: e = 6 - 5 = 1, bucket 2 + 16 + 16 - 16 = 18; v = 33 shares it.
        (32, 512, 18),
        (33, 512, 18),
        (34, 512, 19),
        # One core: v = 512, e = 10 - 5 = 5, 512 >> 5 = 16, bucket 2 + 80 = 82.
        (10, 10, 82),
        (512 * 512 - 1, 512, 225),
        (512 * 512, 512, 226),
    ],
)
def test_usage_layout(usage, elapsed, bucket):
    assert packing.usage_bucket(usage, elapsed) == bucket


def test_usage_values_are_middles_and_bounds_are_lower_edges():
    # Bucket 82 covers [1, 17/16) cores; bucket 18 covers [32, 34) / 512.
    assert (packing.usage_lower_bound(82), packing.usage_value(82)) == (1.0, 1.03125)
    assert (packing.usage_lower_bound(18), packing.usage_value(18)) == (0.0625, 33 / 512)
    assert [packing.usage_value(bucket) for bucket in (0, 1, 226)] == [0.0, 1 / 64, 512.0]
    assert [packing.usage_lower_bound(bucket) for bucket in (0, 1, 2, 226)] == [0.0, 0.0, 16 / 512, 512.0]


@pytest.mark.parametrize(
    ("n", "bucket", "value"),
    [(0, 0, 0), (15, 15, 15), (16, 16, 16), (31, 31, 31), (32, 32, 32.5), (33, 32, 32.5), (63, 47, 62.5), (64, 48, 65.5)],
)
def test_integer_layout(n, bucket, value):
    # 32: e = 1, bucket 16 + 16 = 32 holds 32 and 33; 64: e = 2, bucket 32 + 16 = 48 holds 64 .. 67, middle 65.5.
    assert packing.integer_bucket(n) == bucket
    assert packing.integer_value(bucket) == value


@pytest.mark.parametrize(
    ("throttled", "periods", "bucket", "value"),
    [(0, 100, 0, 0), (1, 1000, 1, 0.005), (1, 100, 2, 0.015), (99, 100, 100, 0.995), (100, 100, 101, 1), (7, 3, 101, 1)],
)
def test_ratio_layout(throttled, periods, bucket, value):
    assert packing.ratio_bucket(throttled, periods) == bucket
    assert packing.ratio_value(bucket) == pytest.approx(value, rel=1e-15)


def test_runnable_values():
    # Bucket 8 holds 8 .. 15, middle 11.5; bucket 9 holds 16 .. 31, middle 23.5; the last one is open from 1024.
    assert [packing.runnable_value(bucket) for bucket in (0, 7, 8, 9, 15)] == [0, 7, 11.5, 23.5, 1024]


@pytest.mark.parametrize(
    ("counts", "per_mille", "bucket"),
    [
        # 10 members: the median is the 5th, the 99th percentile ceil(9.9) = the 10th.
        ({3: 5, 9: 5}, 500, 3),
        ({3: 4, 9: 6}, 500, 9),
        ({3: 9, 9: 1}, 990, 9),
        ({3: 9, 9: 1}, 900, 3),
        ({3: 1}, 0, 3),
        ({}, 500, None),
    ],
)
def test_quantiles_take_the_nearest_rank(counts, per_mille, bucket):
    assert packing.quantile_bucket(counts, per_mille) == bucket


def test_nearest_rank_over_values():
    values = [4.0, 1.0, 3.0, 2.0]
    assert [packing.nearest_rank(values, m) for m in (50, 500, 950)] == [1.0, 2.0, 4.0]


def test_fnv1a_of_published_vectors():
    # From the FNV authors' test suite: "" and "a", 64 bit, as signed numbers.
    assert packing.fnv1a_64("") == 0xCBF29CE484222325 - 2**64
    assert packing.fnv1a_64("a") == 0xAF63DC4C8601EC8C - 2**64
