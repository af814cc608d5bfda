package shard

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
)

const frameBytesMax = 8 * 256

type task struct {
	steps   uint64
	request *request
}

type request struct {
	id        uint64
	tasksLeft atomic.Int32
}

// pool is a set of worker threads behind one first-in first-out queue.
type pool struct {
	answers io.Writer
	tasks   chan task
	leave   chan struct{}
	// world is held for reading during a task and for writing during a collection.
	world *sync.RWMutex

	workers       sync.WaitGroup
	threads       int
	tasksDone     atomic.Int64
	requestsDone  atomic.Int64
	refused       atomic.Int64
	queueTasksMax atomic.Int64
}

func newPool(answers io.Writer, queueTasks int, world *sync.RWMutex) *pool {
	return &pool{answers: answers, tasks: make(chan task, queueTasks), leave: make(chan struct{}), world: world}
}

// resize starts or ends worker threads until there are as many as wanted, and returns when the
// new ones stand. Only the goroutine that takes changes calls it. A worker leaves after the task
// it is at.
func (p *pool) resize(threads int) {
	var standing sync.WaitGroup
	for ; p.threads < threads; p.threads++ {
		p.workers.Add(1)
		standing.Add(1)
		go p.work(&standing)
	}
	standing.Wait()
	for ; p.threads > threads; p.threads-- {
		p.leave <- struct{}{}
	}
}

// work is one worker thread. It stays locked to its thread until it returns, which ends the
// thread as well: the kernel sees exactly as many workers as the pool has.
func (p *pool) work(standing *sync.WaitGroup) {
	defer p.workers.Done()
	runtime.LockOSThread()
	standing.Done()
	var state uint64 = 1
	for {
		// A worker that is asked to leave does so before it takes another task.
		select {
		case <-p.leave:
			return
		default:
		}
		select {
		case <-p.leave:
			return
		case next := <-p.tasks:
			p.world.RLock()
			state = burn.Spend(next.steps, state)
			p.world.RUnlock()
			p.finish(next)
		}
	}
}

func (p *pool) finish(done task) {
	p.tasksDone.Add(1)
	if done.request.tasksLeft.Add(-1) > 0 {
		return
	}
	p.requestsDone.Add(1)
	p.answer(done.request.id, Done)
}

// answer tells the client. A client that is gone needs no answer: the shard is about to be ended.
func (p *pool) answer(id uint64, status Status) {
	if _, err := p.answers.Write(AppendAnswer(nil, id, status)); err != nil && !errors.Is(err, net.ErrClosed) {
		os.Stderr.WriteString("cfslab shard: answering: " + err.Error() + "\n")
	}
}

// serve takes requests until the client hangs up. It is the only one that fills the queue, so
// the room it sees cannot shrink before it has used it.
func (p *pool) serve(requests io.Reader) error {
	frame := make([]byte, frameBytesMax)
	for {
		n, err := requests.Read(frame)
		if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		id, taskSteps, err := ParseRequest(frame[:n])
		if err != nil {
			return err
		}
		p.accept(id, taskSteps)
	}
}

func (p *pool) accept(id uint64, taskSteps []uint64) {
	if len(p.tasks)+len(taskSteps) > cap(p.tasks) {
		p.refused.Add(1)
		p.answer(id, Refused)
		return
	}
	accepted := &request{id: id}
	accepted.tasksLeft.Store(int32(len(taskSteps)))
	for _, steps := range taskSteps {
		p.tasks <- task{steps: steps, request: accepted}
	}
	if depth := int64(len(p.tasks)); depth > p.queueTasksMax.Load() {
		p.queueTasksMax.Store(depth)
	}
}

// stop ends all workers, each after the task it is at. What is still queued is dropped.
func (p *pool) stop() {
	close(p.leave)
	p.workers.Wait()
}
