package latency

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBucketsTileTheLine(t *testing.T) {
	for bucket := range bucketCount - 1 {
		last := lastOf(bucket)
		if bucketOf(last) != bucket || bucketOf(last+1) != bucket+1 {
			t.Fatalf("bucket %d ends at %d, but %d and %d fall into %d and %d",
				bucket, last, last, last+1, bucketOf(last), bucketOf(last+1))
		}
	}
}

func TestQuantilesAreWithinABucketOfTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var histogram Histogram
	values := make([]int64, 50_001)
	for i := range values {
		values[i] = int64(random.ExpFloat64() * 40_000)
		histogram.Add(values[i])
	}
	slices.Sort(values)
	got, _ := histogram.Summary()
	for perMille, us := range map[int64]int64{500: got.P50Us, 900: got.P90Us, 990: got.P99Us, 999: got.P999Us} {
		rank := (int64(len(values))*perMille + 999) / 1000
		truth := values[rank-1]
		if us < truth || float64(us) > float64(truth)*1.033 {
			t.Errorf("quantile %d per mille is %d, the truth is %d", perMille, us, truth)
		}
	}
	if got.MaxUs != values[len(values)-1] || got.Count != int64(len(values)) {
		t.Errorf("max %d, count %d", got.MaxUs, got.Count)
	}
}

func TestMergeEqualsAddingAll(t *testing.T) {
	var left, right, all Histogram
	for us := range int64(5000) {
		all.Add(us * us)
		if us%3 == 0 {
			left.Add(us * us)
		} else {
			right.Add(us * us)
		}
	}
	left.Merge(&right)
	if left != all {
		t.Error("the merge differs from one histogram of all values")
	}
}

func TestNothingHasNoSummary(t *testing.T) {
	var empty Histogram
	if _, any := empty.Summary(); any {
		t.Error("an empty histogram has a summary")
	}
	empty.Add(-5)
	if got, any := empty.Summary(); !any || got.MaxUs != 0 {
		t.Errorf("a negative latency must count as 0, got %+v", got)
	}
}
