package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/shard"
)

const (
	selfPath       = "/proc/self/exe"
	readyPatience  = 30 * time.Second
	finishPatience = 30 * time.Second
)

// process is the running process of one shard.
type process struct {
	command  *exec.Cmd
	orders   io.WriteCloser
	reports  chan shard.Report
	exited   chan struct{}
	exitErr  error
	requests net.Conn
}

// startProcess starts a shard inside its cgroup. The caller must be locked to a thread that lives
// as long as the lab: the kernel ends the shard when the thread that started it ends.
func startProcess(group *cgroup.Group, orders shard.Orders) (*process, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	entrance, err := group.Entrance()
	if err != nil {
		ours.Close()
		return nil, err
	}
	command := exec.Command(selfPath, append([]string{CommandEnter}, entrance.ProcsFiles...)...)
	command.Stderr = os.Stderr
	command.ExtraFiles = []*os.File{theirs}
	// A shard's own garbage collection and preemption signals would blur the load it stands for.
	command.Env = append(os.Environ(), "GOGC=off", "GOMEMLIMIT=128MiB", "GODEBUG=asyncpreemptoff=1")
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if entrance.CloneInto != nil {
		defer entrance.CloneInto.Close()
		command.SysProcAttr.UseCgroupFD = true
		command.SysProcAttr.CgroupFD = int(entrance.CloneInto.Fd())
	}
	p := &process{command: command, requests: ours, reports: make(chan shard.Report, 2), exited: make(chan struct{})}
	if err := p.launch(orders); err != nil {
		ours.Close()
		return nil, err
	}
	return p, nil
}

func (p *process) launch(orders shard.Orders) error {
	stdin, err := p.command.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.command.Start(); err != nil {
		return fmt.Errorf("starting a shard: %w", err)
	}
	p.orders = stdin
	go p.listen(stdout)
	return json.NewEncoder(stdin).Encode(orders)
}

// listen takes the shard's reports until it ends, then reaps it.
func (p *process) listen(stdout io.Reader) {
	lines := json.NewDecoder(stdout)
	for {
		var report shard.Report
		if err := lines.Decode(&report); err != nil {
			break
		}
		p.reports <- report
	}
	close(p.reports)
	p.exitErr = p.command.Wait()
	close(p.exited)
}

func (p *process) awaitReady() error {
	select {
	case _, alive := <-p.reports:
		if alive {
			return nil
		}
		<-p.exited
		return fmt.Errorf("a shard ended before it was ready: %v", p.exitErr)
	case <-time.After(readyPatience):
		return fmt.Errorf("a shard was not ready within %v", readyPatience)
	}
}

func (p *process) change(change shard.Change) error {
	return json.NewEncoder(p.orders).Encode(change)
}

// finish asks the shard to end and returns its last report. One that does not end in time is
// killed and has none: its own account is lost, while what the kernel counted is not.
func (p *process) finish() *shard.Report {
	defer p.requests.Close()
	// The pipe of a shard that is already dead cannot be closed twice, and need not be.
	_ = p.orders.Close()
	overdue := time.AfterFunc(finishPatience, func() { _ = p.command.Process.Kill() })
	defer overdue.Stop()
	var last *shard.Report
	for report := range p.reports {
		if report.Final {
			last = &report
		}
	}
	<-p.exited
	return last
}

// socketPair makes the request socket: message boundaries are kept, and a message is sent whole
// or not at all.
func socketPair() (ours net.Conn, theirs *os.File, err error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("request socket: %w", err)
	}
	theirs = os.NewFile(uintptr(fds[1]), "requests")
	mine := os.NewFile(uintptr(fds[0]), "requests")
	defer mine.Close()
	ours, err = net.FileConn(mine)
	if err != nil {
		theirs.Close()
		return nil, nil, fmt.Errorf("request socket: %w", err)
	}
	return ours, theirs, nil
}
