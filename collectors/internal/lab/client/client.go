// Package client asks a shard for work the way impatient people do: requests arrive whether or
// not earlier ones were answered, and whoever waits too long gives up and asks again.
package client

import (
	"context"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
	"github.com/quotascope/quotascope/collectors/internal/lab/latency"
	"github.com/quotascope/quotascope/collectors/internal/lab/offered"
	"github.com/quotascope/quotascope/collectors/internal/lab/shard"
	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

// sendPatience bounds a send to a shard whose socket is full; an attempt that cannot be sent
// times out like any other that gets no answer.
const sendPatience = 20 * time.Millisecond

// Client is the client of one shard. Run is its only goroutine that touches the run state.
type Client struct {
	conn    net.Conn
	traffic workload.Traffic
	speed   burn.Speed
	law     *offered.Law
	load    atomic.Uint64

	mu     sync.Mutex
	counts Counts
	times  latency.Histogram

	nextID   uint64
	pending  map[uint64]*errand
	timeouts []timeout
}

// Counts are the outcomes so far. Offered = Answered + GivenUp + those still waited for.
type Counts struct {
	// Offered counts requests as people see them, each once, however often it was asked.
	Offered int64 `json:"offered"`
	// OfferedWorkUs is the CPU time that the offered requests need, asked once each, microseconds.
	OfferedWorkUs int64 `json:"offered_work_us"`
	Attempts      int64 `json:"attempts"`
	Answered      int64 `json:"answered"`
	// TimedOutAttempts and RefusedAttempts count attempts; GivenUp counts requests.
	TimedOutAttempts int64 `json:"timed_out_attempts"`
	RefusedAttempts  int64 `json:"refused_attempts"`
	GivenUp          int64 `json:"given_up"`
	// LateAnswers are answers to attempts already given up: work done for nobody.
	LateAnswers int64 `json:"late_answers"`
}

// errand is a request from its intended arrival until it is answered or given up.
type errand struct {
	intended    time.Time
	taskSteps   []uint64
	retriesLeft int
}

type timeout struct {
	at time.Time
	id uint64
}

// New returns a client that has not begun.
func New(conn net.Conn, traffic workload.Traffic, speed burn.Speed, law *offered.Law, load float64) *Client {
	c := &Client{conn: conn, traffic: traffic, speed: speed, law: law, pending: map[uint64]*errand{}}
	c.SetLoad(load)
	return c
}

// SetLoad makes the offered load a positive multiple of the traffic's, from the next arrival on.
func (c *Client) SetLoad(multiple float64) { c.load.Store(math.Float64bits(multiple)) }

// Snapshot returns the outcomes so far. Latencies run from the intended arrival to the answer, or
// to the moment at which the client gave up, which is then a lower bound.
func (c *Client) Snapshot() (Counts, latency.Histogram) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts, c.times
}

// Run offers load until the context ends, then waits for what is still open. The shard's end of
// the socket must stay open until it returns.
func (c *Client) Run(ctx context.Context) {
	answers, over := make(chan answer), make(chan struct{})
	defer close(over)
	go readAnswers(c.conn, answers, over)
	arrival := time.Now().Add(c.gap())
	arriving := true
	timer := time.NewTimer(0)
	defer timer.Stop()
	for arriving || len(c.pending) > 0 {
		timer.Reset(time.Until(c.wakeAt(arrival, arriving)))
		select {
		case <-ctx.Done():
			arriving = false
			ctx = context.Background()
		case got, open := <-answers:
			if !open {
				return
			}
			c.take(got)
		case <-timer.C:
		}
		now := time.Now()
		for ; arriving && !arrival.After(now); arrival = arrival.Add(c.gap()) {
			c.arrive(arrival)
		}
		c.expire(now)
	}
}

func (c *Client) gap() time.Duration {
	return c.law.Gap(c.traffic.RequestsPerSecond * math.Float64frombits(c.load.Load()))
}

func (c *Client) wakeAt(arrival time.Time, arriving bool) time.Time {
	switch {
	case len(c.timeouts) == 0:
		return arrival
	case arriving && arrival.Before(c.timeouts[0].at):
		return arrival
	}
	return c.timeouts[0].at
}

func (c *Client) arrive(intended time.Time) {
	fresh := &errand{intended: intended, retriesLeft: c.traffic.Retries}
	var workUs int64
	for range c.traffic.TasksPerRequest {
		taskUs := c.law.WorkUs(c.traffic.TaskUs, c.traffic.Spread)
		workUs += taskUs
		fresh.taskSteps = append(fresh.taskSteps, c.speed.Steps(taskUs))
	}
	c.count(func(counts *Counts) { counts.Offered++; counts.OfferedWorkUs += workUs })
	c.attempt(fresh)
}

// attempt sends a request under a new id, so that answers to earlier attempts can be told apart.
func (c *Client) attempt(e *errand) {
	c.nextID++
	c.pending[c.nextID] = e
	c.timeouts = append(c.timeouts, timeout{time.Now().Add(time.Duration(c.traffic.TimeoutUs) * time.Microsecond), c.nextID})
	c.count(func(counts *Counts) { counts.Attempts++ })
	// An error is not lost: no answer will come, and the time-out counts it.
	if err := c.conn.SetWriteDeadline(time.Now().Add(sendPatience)); err == nil {
		_, _ = c.conn.Write(shard.AppendRequest(nil, c.nextID, e.taskSteps))
	}
}

func (c *Client) take(got answer) {
	e, waiting := c.pending[got.id]
	if !waiting {
		c.count(func(counts *Counts) { counts.LateAnswers++ })
		return
	}
	delete(c.pending, got.id)
	if got.status == shard.Refused {
		c.count(func(counts *Counts) { counts.RefusedAttempts++ })
		c.again(e, got.at)
		return
	}
	c.count(func(counts *Counts) { counts.Answered++ })
	c.finish(e, got.at)
}

// expire gives up the attempts whose time is over. All attempts wait equally long, so the oldest
// comes first.
func (c *Client) expire(now time.Time) {
	for len(c.timeouts) > 0 && !c.timeouts[0].at.After(now) {
		due := c.timeouts[0]
		c.timeouts = c.timeouts[1:]
		e, waiting := c.pending[due.id]
		if !waiting {
			continue
		}
		delete(c.pending, due.id)
		c.count(func(counts *Counts) { counts.TimedOutAttempts++ })
		c.again(e, now)
	}
}

func (c *Client) again(e *errand, now time.Time) {
	if e.retriesLeft == 0 {
		c.count(func(counts *Counts) { counts.GivenUp++ })
		c.finish(e, now)
		return
	}
	e.retriesLeft--
	c.attempt(e)
}

func (c *Client) finish(e *errand, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.times.Add(at.Sub(e.intended).Microseconds())
}

func (c *Client) count(change func(*Counts)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.counts)
}

type answer struct {
	id     uint64
	status shard.Status
	at     time.Time
}

// readAnswers stamps each answer as it comes in and ends with the connection. Once the run is
// over it goes on reading, so that a shard never waits for a client that has left.
func readAnswers(conn net.Conn, answers chan<- answer, over <-chan struct{}) {
	defer close(answers)
	frame := make([]byte, 64)
	for {
		n, err := conn.Read(frame)
		if err != nil {
			return
		}
		id, status, err := shard.ParseAnswer(frame[:n])
		if err != nil {
			return
		}
		select {
		case answers <- answer{id: id, status: status, at: time.Now()}:
		case <-over:
		}
	}
}
