package client

import (
	"context"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
	"github.com/quotascope/quotascope/collectors/internal/lab/offered"
	"github.com/quotascope/quotascope/collectors/internal/lab/shard"
	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

func traffic() workload.Traffic {
	return workload.Traffic{RequestsPerSecond: 200, TasksPerRequest: 3, TaskUs: 10, Spread: offered.Fixed,
		TimeoutUs: 100_000, Retries: 2}
}

// serve answers the requests on a socket as the given function decides; nil leaves one unanswered.
func serve(t *testing.T, conn net.Conn, decide func(n int) *shard.Status) {
	t.Helper()
	go func() {
		frame := make([]byte, 4096)
		for n := 0; ; n++ {
			size, err := conn.Read(frame)
			if err != nil {
				return
			}
			id, steps, err := shard.ParseRequest(frame[:size])
			if err != nil || len(steps) != 3 {
				t.Errorf("frame of %d bytes: %v", size, err)
				return
			}
			if status := decide(n); status != nil {
				if _, err := conn.Write(shard.AppendAnswer(nil, id, *status)); err != nil {
					return
				}
			}
		}
	}()
}

func runFor(t *testing.T, asked workload.Traffic, length time.Duration, decide func(n int) *shard.Status) *Client {
	t.Helper()
	ours, theirs := socketPair(t)
	serve(t, theirs, decide)
	c := New(ours, asked, burn.Speed{StepsPerMs: 1000}, offered.NewLaw(1, "test", "shard-0"), 1)
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	c.Run(ctx)
	return c
}

func TestEveryRequestIsAnsweredOrGivenUp(t *testing.T) {
	done, refused := shard.Done, shard.Refused
	c := runFor(t, traffic(), 500*time.Millisecond, func(n int) *shard.Status {
		switch n % 3 {
		case 0:
			return &done
		case 1:
			return &refused
		}
		return nil
	})
	got, times := c.Snapshot()
	if got.Offered < 50 || got.Answered == 0 || got.GivenUp == 0 {
		t.Fatalf("the run is too small to tell anything: %+v", got)
	}
	if got.Offered != got.Answered+got.GivenUp || times.Count() != got.Offered {
		t.Errorf("offered %d, but answered %d, given up %d, latencies %d", got.Offered, got.Answered, got.GivenUp, times.Count())
	}
	if got.Attempts != got.Answered+got.RefusedAttempts+got.TimedOutAttempts {
		t.Errorf("attempts do not add up: %+v", got)
	}
	if got.OfferedWorkUs != got.Offered*30 {
		t.Errorf("offered work %d us for %d requests of 30 us", got.OfferedWorkUs, got.Offered)
	}
}

func TestRetriesAreBounded(t *testing.T) {
	c := runFor(t, traffic(), 300*time.Millisecond, func(int) *shard.Status { return nil })
	got, times := c.Snapshot()
	if got.Offered == 0 || got.GivenUp != got.Offered || got.Attempts != 3*got.Offered {
		t.Errorf("a dead server must cost each request its first attempt and two retries: %+v", got)
	}
	if summary, _ := times.Summary(); summary.P50Us < 300_000 {
		t.Errorf("giving up after three time-outs of 100 ms took %d us", summary.P50Us)
	}
}

// TestAStallIsFeltByAllWhoArriveInIt guards against coordinated omission: a server that stands
// still for 400 ms hurts the requests that arrive meanwhile, not only the one it is at.
func TestAStallIsFeltByAllWhoArriveInIt(t *testing.T) {
	asked := traffic()
	asked.TimeoutUs = 5_000_000
	done := shard.Done
	c := runFor(t, asked, 800*time.Millisecond, func(n int) *shard.Status {
		if n == 20 {
			time.Sleep(400 * time.Millisecond)
		}
		return &done
	})
	got, times := c.Snapshot()
	summary, _ := times.Summary()
	// About 80 of 160 requests arrive during the stall and wait for 200 ms on average.
	if summary.MeanUs < 50_000 || summary.P90Us < 200_000 {
		t.Errorf("the stall is hidden: mean %d us, p90 %d us of %d requests", summary.MeanUs, summary.P90Us, got.Offered)
	}
}

func TestALateAnswerIsNotAnAnswer(t *testing.T) {
	asked := traffic()
	asked.TimeoutUs, asked.Retries = 20_000, 0
	done := shard.Done
	c := runFor(t, asked, 300*time.Millisecond, func(n int) *shard.Status {
		if n%20 == 0 {
			time.Sleep(60 * time.Millisecond)
		}
		return &done
	})
	got, _ := c.Snapshot()
	if got.LateAnswers == 0 || got.GivenUp == 0 || got.Offered != got.Answered+got.GivenUp {
		t.Errorf("late answers must be counted apart: %+v", got)
	}
}

func TestLoadCanBeChanged(t *testing.T) {
	done := shard.Done
	ours, theirs := socketPair(t)
	serve(t, theirs, func(int) *shard.Status { return &done })
	c := New(ours, traffic(), burn.Speed{StepsPerMs: 1000}, offered.NewLaw(1, "test", "shard-0"), 1)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	time.AfterFunc(time.Second, func() {
		first, _ := c.Snapshot()
		c.SetLoad(5)
		if first.Offered < 140 || first.Offered > 260 {
			t.Errorf("%d requests in the first second, want about 200", first.Offered)
		}
	})
	c.Run(ctx)
	// 200 in the first second and 1000 in the second; the standard deviation is 35.
	if got, _ := c.Snapshot(); got.Offered < 950 || got.Offered > 1450 {
		t.Errorf("%d requests in all, want about 1200", got.Offered)
	}
}

func socketPair(t *testing.T) (ours, theirs net.Conn) {
	t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	conns := make([]net.Conn, 2)
	for i, fd := range fds {
		file := os.NewFile(uintptr(fd), "socket")
		conns[i], err = net.FileConn(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conns[i].Close() })
	}
	return conns[0], conns[1]
}
