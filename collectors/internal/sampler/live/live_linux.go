// Package live runs what all back ends on a kernel have in common: cgroups are found on one goroutine and read on another,
// and finished windows are handed over on the calling one.
package live

import (
	"context"
	"sync"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
)

// handoverWindows is how many windows may wait to be handed over.
const handoverWindows = 64

// Reader is the part of a back end that samples.
type Reader interface {
	// Sample reads until ctx ends, on a goroutine of its own.
	Sample(ctx context.Context)
	// Started is called once the cgroups that were there have been found.
	Started()
	// Complain says what went wrong since the last time. Reading gathers what a host window says beyond the samples; what
	// discovery counts is added to it. Both are called on the goroutine that hands over.
	Complain()
	Reading() sampler.HostReading
}

// Run finds, reads and hands over until ctx ends, and the last partial window too. Begin makes the reader, which takes what
// was found out of the one channel and puts finished windows into the other, never waiting.
func Run(ctx context.Context, recorder *sampler.Recorder, options discovery.Options,
	begin func(found <-chan discovery.Event, cuts chan<- sampler.Batch) Reader) {
	cuts := make(chan sampler.Batch, handoverWindows)
	finder := discovery.New(options)
	reader := begin(finder.Events(), cuts)
	recorder.Baseline(readingOf(reader, finder))
	var running sync.WaitGroup
	ready := make(chan struct{})
	running.Go(func() { finder.Run(ctx, ready) })
	running.Go(func() {
		defer close(cuts)
		reader.Sample(ctx)
	})
	<-ready
	reader.Started()
	for batch := range cuts {
		reader.Complain()
		reading := readingOf(reader, finder)
		batch.FinishedAt(time.Now().UnixMicro())
		recorder.Finish(batch, reading)
	}
	running.Wait()
	reader.Complain()
	finder.CloseWaiting()
}

func readingOf(reader Reader, finder *discovery.Finder) sampler.HostReading {
	reading := reader.Reading()
	reading.UntrackedCgroups, reading.OverflowCgroups = int(finder.Untracked()), int(finder.Overflow())
	reading.ShortLivedCgroups += int(finder.TakeVanished())
	return reading
}
