package shard

import (
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

// answerLog keeps the answers a pool gives.
type answerLog struct {
	mu     sync.Mutex
	status map[uint64]Status
}

func (a *answerLog) Write(frame []byte) (int, error) {
	id, status, err := ParseAnswer(frame)
	if err != nil {
		return 0, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status[id] = status
	return len(frame), nil
}

func (a *answerLog) len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.status)
}

func TestFramesComeBackAsTheyWent(t *testing.T) {
	id, steps, err := ParseRequest(AppendRequest(nil, 77, []uint64{1, 1 << 40, 3}))
	if err != nil || id != 77 || !reflect.DeepEqual(steps, []uint64{1, 1 << 40, 3}) {
		t.Errorf("got %d %v %v", id, steps, err)
	}
	for _, frame := range [][]byte{nil, make([]byte, 8), make([]byte, 17)} {
		if _, _, err := ParseRequest(frame); err == nil {
			t.Errorf("a request of %d bytes was accepted", len(frame))
		}
	}
	if _, _, err := ParseAnswer(make([]byte, 8)); err == nil {
		t.Error("a short answer was accepted")
	}
}

func TestARequestIsAnsweredOnceAllItsTasksAreDone(t *testing.T) {
	answers := &answerLog{status: map[uint64]Status{}}
	p := newPool(answers, 100, &sync.RWMutex{})
	for id := range uint64(20) {
		p.accept(id, []uint64{10, 20, 30})
	}
	if answers.len() != 0 {
		t.Fatal("answered before anybody worked")
	}
	p.resize(4)
	eventually(t, func() bool { return answers.len() == 20 })
	if p.tasksDone.Load() != 60 || p.requestsDone.Load() != 20 || p.queueTasksMax.Load() != 60 {
		t.Errorf("tasks %d, requests %d, deepest queue %d", p.tasksDone.Load(), p.requestsDone.Load(), p.queueTasksMax.Load())
	}
	p.stop()
}

func TestAFullQueueRefusesWholeRequests(t *testing.T) {
	answers := &answerLog{status: map[uint64]Status{}}
	p := newPool(answers, 5, &sync.RWMutex{})
	p.accept(1, []uint64{1, 1, 1})
	p.accept(2, []uint64{1, 1, 1})
	p.accept(3, []uint64{1, 1})
	if want := map[uint64]Status{2: Refused}; !reflect.DeepEqual(answers.status, want) || p.refused.Load() != 1 {
		t.Errorf("got %v, refused %d", answers.status, p.refused.Load())
	}
	p.resize(1)
	eventually(t, func() bool { return answers.len() == 3 })
	p.stop()
}

// TestWorkersAreThreads counts in the kernel: a pool that grows by 20 must show 20 more threads,
// and they must end when it shrinks.
func TestWorkersAreThreads(t *testing.T) {
	p := newPool(&answerLog{status: map[uint64]Status{}}, 100, &sync.RWMutex{})
	before := threadsNow(t)
	p.resize(20)
	eventually(t, func() bool { return threadsNow(t) >= before+18 })
	p.resize(2)
	eventually(t, func() bool { return threadsNow(t) <= before+8 })
	p.stop()
}

func TestCollectionsStopTheWorld(t *testing.T) {
	var world sync.RWMutex
	answers := &answerLog{status: map[uint64]Status{}}
	p := newPool(answers, 100, &world)
	p.resize(2)
	b := &background{speed: burn.Speed{StepsPerMs: 1000}, load: &load{}, world: &world, stop: make(chan struct{})}
	b.load.set(1)
	world.Lock()
	p.accept(1, []uint64{1})
	time.Sleep(50 * time.Millisecond)
	if answers.len() != 0 {
		t.Error("a worker worked while the world stood still")
	}
	world.Unlock()
	eventually(t, func() bool { return answers.len() == 1 })
	b.startCollections(workload.Collections{EveryMs: 5, Threads: 2, BurnUs: 10})
	eventually(t, func() bool { return b.collections.Load() >= 3 })
	b.end()
	p.stop()
}

func TestLoopsRestAndAreCounted(t *testing.T) {
	b := &background{speed: burn.Speed{StepsPerMs: 1000}, load: &load{}, world: &sync.RWMutex{}, stop: make(chan struct{})}
	b.load.set(1)
	b.startLoops([]workload.Loop{{Name: "slow", Threads: 2, BurnUs: 1, SleepUs: 20_000}})
	time.Sleep(500 * time.Millisecond)
	b.end()
	if turns := b.loops[0].turns.Load(); turns < 10 || turns > 60 {
		t.Errorf("two threads with pauses of 20 ms made %d turns in 500 ms, want about 50", turns)
	}
}

func TestOnTimeFollowsTheLoad(t *testing.T) {
	loop := workload.Loop{OnMs: 100, OffMs: 300}
	for multiple, wantMs := range map[float64]int64{0.5: 50, 1: 100, 2: 200, 9: 400} {
		if on, cycle := onTime(loop, multiple); on.Milliseconds() != wantMs || cycle.Milliseconds() != 400 {
			t.Errorf("load %v: on for %v of %v, want %d ms of 400", multiple, on, cycle, wantMs)
		}
	}
}

func threadsNow(t *testing.T) int {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*")
	if err != nil || len(tasks) == 0 {
		t.Skipf("/proc/self/task cannot be read here: %v", err)
	}
	return len(tasks)
}

func eventually(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not happen within 10 s")
		}
	}
}
