package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
)

// runtimeThreads is the room left for Go's own goroutines beside the workers: were GOMAXPROCS
// only as large as the pool, workers would take turns inside the process instead of in the kernel.
const runtimeThreads = 4

// Run is the life of a shard process. It returns when its input ends.
func Run(input io.Reader, output io.Writer) error {
	lines := json.NewDecoder(input)
	var orders Orders
	if err := lines.Decode(&orders); err != nil {
		return fmt.Errorf("reading the orders: %w", err)
	}
	if orders.Speed.StepsPerMs <= 0 || orders.LoadMultiple <= 0 {
		return errors.New("the orders lack a speed or a load multiple")
	}
	shard, err := start(orders)
	if err != nil {
		return err
	}
	replies := json.NewEncoder(output)
	if err := replies.Encode(Report{}); err != nil {
		return err
	}
	if err := shard.obey(lines); err != nil {
		return err
	}
	return replies.Encode(shard.end())
}

type running struct {
	orders     Orders
	pool       *pool
	background *background
	requests   net.Conn
	serving    sync.WaitGroup
}

func start(orders Orders) (*running, error) {
	var world sync.RWMutex
	r := &running{orders: orders}
	r.background = &background{speed: orders.Speed, load: &load{}, world: &world, stop: make(chan struct{})}
	r.background.load.set(orders.LoadMultiple)
	r.makeRoom(orders.Pool.Threads)
	if orders.Pool.Threads > 0 {
		conn, err := requestSocket()
		if err != nil {
			return nil, err
		}
		r.requests = conn
		r.pool = newPool(conn, orders.Pool.QueueTasks, &world)
		r.pool.resize(orders.Pool.Threads)
		r.serving.Add(1)
		go r.serve()
	}
	if orders.Collections != nil {
		r.background.startCollections(*orders.Collections)
	}
	r.background.startLoops(orders.Loops)
	return r, nil
}

func (r *running) serve() {
	defer r.serving.Done()
	if err := r.pool.serve(r.requests); err != nil {
		fmt.Fprintln(os.Stderr, "cfslab shard: taking requests:", err)
	}
}

// makeRoom lets all threads of the shard be runnable in the kernel at once.
func (r *running) makeRoom(poolThreads int) {
	threads := poolThreads + runtimeThreads
	if r.orders.Collections != nil {
		threads += r.orders.Collections.Threads
	}
	for _, loop := range r.orders.Loops {
		threads += loop.Threads
	}
	runtime.GOMAXPROCS(threads)
}

// obey carries out changes until the input ends, which is how the lab ends a shard.
func (r *running) obey(lines *json.Decoder) error {
	for {
		var change Change
		if err := lines.Decode(&change); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading a change: %w", err)
		}
		if change.LoadMultiple != nil && *change.LoadMultiple > 0 {
			r.background.load.set(*change.LoadMultiple)
		}
		if change.Threads != nil && *change.Threads > 0 && r.pool != nil {
			r.makeRoom(*change.Threads)
			r.pool.resize(*change.Threads)
		}
	}
}

// end stops all threads and says what they did.
func (r *running) end() Report {
	report := Report{Final: true}
	r.background.end()
	if r.pool != nil {
		r.pool.stop()
		r.requests.Close()
		r.serving.Wait()
		report.RequestsDone, report.RequestsRefused = r.pool.requestsDone.Load(), r.pool.refused.Load()
		report.TasksDone, report.QueueTasksMax = r.pool.tasksDone.Load(), r.pool.queueTasksMax.Load()
	}
	report.Collections = r.background.collections.Load()
	for _, state := range r.background.loops {
		turns := state.turns.Load()
		report.Loops = append(report.Loops, LoopReport{Name: state.loop.Name, Threads: state.loop.Threads,
			Turns: turns, BurnedUs: turns * state.loop.BurnUs})
	}
	return report
}

func requestSocket() (net.Conn, error) {
	file := os.NewFile(RequestsFd, "requests")
	defer file.Close()
	conn, err := net.FileConn(file)
	if err != nil {
		return nil, fmt.Errorf("file descriptor %d is no request socket: %w", RequestsFd, err)
	}
	return conn, nil
}
