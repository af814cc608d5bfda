// Package latency counts latencies in log-linear buckets: 32 per octave, so that a value read
// back is at most 3.2 % above the true one, from one microsecond to hours, without allocating.
package latency

import "math/bits"

const (
	bucketsPerOctave = 32
	octaves          = 30
	bucketCount      = bucketsPerOctave * (octaves + 1)
)

// Histogram counts latencies in microseconds. The zero value is empty and ready to use.
type Histogram struct {
	counts [bucketCount]int64
	count  int64
	sumUs  int64
	maxUs  int64
}

// Add counts one latency in microseconds. A negative one, which a clock step could cause, counts as 0.
func (h *Histogram) Add(us int64) {
	us = max(0, us)
	h.counts[bucketOf(us)]++
	h.count++
	h.sumUs += us
	h.maxUs = max(h.maxUs, us)
}

// Count returns how many latencies were added.
func (h *Histogram) Count() int64 { return h.count }

// Merge adds the counts of other.
func (h *Histogram) Merge(other *Histogram) {
	for bucket, count := range other.counts {
		h.counts[bucket] += count
	}
	h.count += other.count
	h.sumUs += other.sumUs
	h.maxUs = max(h.maxUs, other.maxUs)
}

// Summary is what a report shows of a histogram; all values are microseconds. Quantiles are by
// nearest rank and are the upper end of their bucket, but never above the largest value seen.
type Summary struct {
	Count  int64 `json:"count"`
	MeanUs int64 `json:"mean_us"`
	P50Us  int64 `json:"p50_us"`
	P90Us  int64 `json:"p90_us"`
	P99Us  int64 `json:"p99_us"`
	P999Us int64 `json:"p999_us"`
	MaxUs  int64 `json:"max_us"`
}

// Summary returns the summary, or false when nothing was counted.
func (h *Histogram) Summary() (Summary, bool) {
	if h.count == 0 {
		return Summary{}, false
	}
	return Summary{
		Count: h.count, MeanUs: h.sumUs / h.count, MaxUs: h.maxUs,
		P50Us: h.quantile(500), P90Us: h.quantile(900), P99Us: h.quantile(990), P999Us: h.quantile(999),
	}, true
}

func (h *Histogram) quantile(perMille int64) int64 {
	rank := (h.count*perMille + 999) / 1000
	var seen int64
	for bucket, count := range h.counts {
		if seen += count; seen >= rank {
			return min(h.maxUs, lastOf(bucket))
		}
	}
	return h.maxUs
}

func bucketOf(us int64) int {
	octave := max(0, bits.Len64(uint64(us))-6)
	return min(bucketCount-1, octave*bucketsPerOctave+int(us>>octave))
}

// lastOf returns the largest value that falls into a bucket.
func lastOf(bucket int) int64 {
	octave := max(0, bucket/bucketsPerOctave-1)
	return int64(bucket-octave*bucketsPerOctave+1)<<octave - 1
}
