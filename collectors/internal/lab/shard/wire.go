// Package shard is one running copy of a lab service: an operating system process of its own,
// inside its cgroup, whose workers are real threads.
//
// The process is told what to be by one JSON line on its standard input, then takes changes as
// further lines; the end of the input ends it. It answers on its standard output. Requests come
// in over a socket from a client outside of the cgroup, because real clients are not throttled
// together with the server they wait for.
package shard

import (
	"encoding/binary"
	"errors"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
	"github.com/quotascope/quotascope/collectors/internal/lab/workload"
)

// RequestsFd is the file descriptor of the request socket (SOCK_SEQPACKET) in the shard.
const RequestsFd = 3

// Orders is the first line a shard reads: what to be.
type Orders struct {
	Speed       burn.Speed            `json:"speed"`
	Pool        workload.Pool         `json:"pool"`
	Collections *workload.Collections `json:"collections,omitempty"`
	Loops       []workload.Loop       `json:"loops,omitempty"`
	// LoadMultiple scales the collections and loops; requests are scaled by their client.
	LoadMultiple float64 `json:"load_multiple"`
}

// Change is any further line: what to be from now on. A field that is absent stays as it was.
type Change struct {
	LoadMultiple *float64 `json:"load_multiple,omitempty"`
	Threads      *int     `json:"threads,omitempty"`
}

// Report is what a shard says: once when it is ready for work, once when it ends.
type Report struct {
	Final bool `json:"final"`
	// RequestsDone and RequestsRefused count requests; TasksDone the tasks of which they consist.
	RequestsDone    int64 `json:"requests_done"`
	RequestsRefused int64 `json:"requests_refused"`
	TasksDone       int64 `json:"tasks_done"`
	QueueTasksMax   int64 `json:"queue_tasks_max"`
	// Collections counts garbage-collector-like bursts.
	Collections int64        `json:"collections"`
	Loops       []LoopReport `json:"loops,omitempty"`
}

// LoopReport is what all threads of one loop got done; fibtest compares these between loops.
type LoopReport struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"`
	Turns   int64  `json:"turns"`
	// BurnedUs is the CPU time that the turns were calibrated to cost, microseconds.
	BurnedUs int64 `json:"burned_us"`
}

// Status is a shard's answer to a request.
type Status byte

const (
	// Done: all tasks of the request are done.
	Done Status = 1
	// Refused: the queue was full, nothing was done.
	Refused Status = 2
)

var errFrame = errors.New("frame of a wrong length on the request socket")

// AppendRequest appends the frame of a request: its id, then the burning steps of each task.
func AppendRequest(frame []byte, id uint64, taskSteps []uint64) []byte {
	frame = binary.LittleEndian.AppendUint64(frame, id)
	for _, steps := range taskSteps {
		frame = binary.LittleEndian.AppendUint64(frame, steps)
	}
	return frame
}

// ParseRequest reads the frame of a request.
func ParseRequest(frame []byte) (id uint64, taskSteps []uint64, err error) {
	if len(frame) < 16 || len(frame)%8 != 0 {
		return 0, nil, errFrame
	}
	for rest := frame[8:]; len(rest) > 0; rest = rest[8:] {
		taskSteps = append(taskSteps, binary.LittleEndian.Uint64(rest))
	}
	return binary.LittleEndian.Uint64(frame), taskSteps, nil
}

// AppendAnswer appends the frame of an answer.
func AppendAnswer(frame []byte, id uint64, status Status) []byte {
	return append(binary.LittleEndian.AppendUint64(frame, id), byte(status))
}

// ParseAnswer reads the frame of an answer.
func ParseAnswer(frame []byte) (id uint64, status Status, err error) {
	if len(frame) != 9 {
		return 0, 0, errFrame
	}
	return binary.LittleEndian.Uint64(frame), Status(frame[8]), nil
}
