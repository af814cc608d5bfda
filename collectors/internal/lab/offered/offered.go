// Package offered draws the load that clients offer: when requests arrive and how much work each
// of them is. Everything follows from a seed, so that a run can be repeated.
package offered

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

// longestWorkMeans bounds an exponential draw: a task is never more than this many means long,
// so that one unlucky draw cannot decide a whole run.
const longestWorkMeans = 4

// Spread says how the work of a task varies around its mean.
type Spread string

const (
	// Fixed makes all tasks alike.
	Fixed Spread = "fixed"
	// Exponential draws from the exponential law, cut at four means.
	Exponential Spread = "exponential"
)

// Law is a source of arrivals and work for one shard. It is not safe for concurrent use.
type Law struct {
	random *rand.Rand
}

// NewLaw returns the law of one shard. Shards of one seed are independent of each other, and a
// shard's draws do not depend on which other shards run beside it.
func NewLaw(seed uint64, service, shard string) *Law {
	name := fnv.New64a()
	name.Write([]byte(service + "/" + shard))
	return &Law{random: rand.New(rand.NewPCG(seed, name.Sum64()))}
}

// Gap draws the time to the next arrival of a Poisson process of the given positive rate.
func (l *Law) Gap(requestsPerSecond float64) time.Duration {
	return time.Duration(l.random.ExpFloat64() / requestsPerSecond * float64(time.Second))
}

// WorkUs draws the work of one task in microseconds, at least 1.
func (l *Law) WorkUs(meanUs int64, spread Spread) int64 {
	if spread == Fixed {
		return meanUs
	}
	drawn := math.Min(l.random.ExpFloat64(), longestWorkMeans) / cutMean
	return max(1, int64(drawn*float64(meanUs)))
}

// cutMean is the mean of min(X, 4) for an exponential X of mean 1, namely 1 - exp(-4); dividing
// by it gives the cut law the mean that was asked for.
var cutMean = 1 - math.Exp(-longestWorkMeans)
