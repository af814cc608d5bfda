package shard

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

// load is the present load multiple, changed by one goroutine and read by many.
type load struct{ bits atomic.Uint64 }

func (l *load) set(multiple float64) { l.bits.Store(math.Float64bits(multiple)) }
func (l *load) get() float64         { return math.Float64frombits(l.bits.Load()) }

// background are the threads that work without being asked.
type background struct {
	speed burn.Speed
	load  *load
	world *sync.RWMutex
	stop  chan struct{}

	running     sync.WaitGroup
	collections atomic.Int64
	loops       []*loopState
}

type loopState struct {
	loop  workload.Loop
	turns atomic.Int64
}

func (b *background) startLoops(loops []workload.Loop) {
	for _, loop := range loops {
		state := &loopState{loop: loop}
		b.loops = append(b.loops, state)
		for range loop.Threads {
			b.running.Add(1)
			go b.turn(state)
		}
	}
}

// turn is one thread of a loop. The wall clock decides when it rests; its CPU clock is never read.
func (b *background) turn(state *loopState) {
	defer b.running.Done()
	runtime.LockOSThread()
	loop, steps := state.loop, b.speed.Steps(state.loop.BurnUs)
	var burned uint64 = 1
	cycleStart := time.Now()
	for {
		burned = burn.Spend(steps, burned)
		state.turns.Add(1)
		var rest time.Duration
		if loop.SleepUs > 0 {
			rest = time.Duration(float64(loop.SleepUs)/b.load.get()) * time.Microsecond
		}
		if on, cycle := onTime(loop, b.load.get()); loop.OffMs > 0 && time.Since(cycleStart) >= on {
			rest = max(0, cycle-time.Since(cycleStart))
			cycleStart = time.Now().Add(rest)
		}
		if b.rest(rest) {
			return
		}
	}
}

// onTime returns how long a loop works in one cycle under a load multiple, and the whole cycle.
func onTime(loop workload.Loop, multiple float64) (on, cycle time.Duration) {
	cycle = time.Duration(loop.OnMs+loop.OffMs) * time.Millisecond
	on = time.Duration(float64(loop.OnMs)*multiple) * time.Millisecond
	return min(on, cycle), cycle
}

// rest sleeps and reports whether it is time to end.
func (b *background) rest(length time.Duration) (end bool) {
	if length <= 0 {
		select {
		case <-b.stop:
			return true
		default:
			return false
		}
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-b.stop:
		return true
	case <-timer.C:
		return false
	}
}

// startCollections starts the collecting threads and the one that calls them up.
func (b *background) startCollections(plan workload.Collections) {
	begin, done := make(chan struct{}), make(chan struct{})
	for range plan.Threads {
		b.running.Add(1)
		go b.collect(b.speed.Steps(plan.BurnUs), begin, done)
	}
	b.running.Add(1)
	go func() {
		defer b.running.Done()
		defer close(begin)
		every := time.Duration(plan.EveryMs) * time.Millisecond
		for !b.rest(time.Duration(float64(every) / b.load.get())) {
			b.collectOnce(plan.Threads, begin, done)
		}
	}()
}

// collectOnce stops the world, as a collector does: the workers finish their task and then wait.
func (b *background) collectOnce(threads int, begin chan<- struct{}, done <-chan struct{}) {
	b.world.Lock()
	defer b.world.Unlock()
	for range threads {
		begin <- struct{}{}
	}
	for range threads {
		<-done
	}
	b.collections.Add(1)
}

func (b *background) collect(steps uint64, begin <-chan struct{}, done chan<- struct{}) {
	defer b.running.Done()
	runtime.LockOSThread()
	var burned uint64 = 1
	for range begin {
		burned = burn.Spend(steps, burned)
		done <- struct{}{}
	}
}

func (b *background) end() {
	close(b.stop)
	b.running.Wait()
}
