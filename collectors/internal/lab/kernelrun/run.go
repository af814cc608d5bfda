package kernelrun

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/cprogram"
)

//go:embed program/server.c
var source []byte

// Runner runs plans, one after the other, in a folder of cgroups of its own.
type Runner struct {
	program    string
	folder     *cgroup.Folder
	stepsPerMs int64
	host       Recording
}

// NewRunner compiles the server into a folder and makes the cgroup folder. Close removes it.
func NewRunner(buildFolder, cgroupFolder string) (*Runner, error) {
	program, err := cprogram.Compile(source, buildFolder, "server")
	if err != nil {
		return nil, err
	}
	speed, err := exec.Command(program, "calibrate").Output()
	if err != nil {
		return nil, fmt.Errorf("calibrating: %w", err)
	}
	stepsPerMs, err := strconv.ParseInt(strings.TrimSpace(string(speed)), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("calibrating: %w", err)
	}
	host, err := describeHost()
	if err != nil {
		return nil, err
	}
	folder, err := cgroup.Acquire(cgroupFolder)
	if err != nil {
		return nil, err
	}
	host.CgroupVersion = folder.Layout.Version
	return &Runner{program: program, folder: folder, stepsPerMs: stepsPerMs, host: host}, nil
}

// Close removes the cgroups.
func (r *Runner) Close() error {
	_, err := r.folder.Clear()
	return errors.Join(err, r.folder.Remove(), r.folder.Release())
}

// Run runs one plan in a fresh cgroup; sampled says whether its counters are read every 10 ms.
func (r *Runner) Run(plan Plan, sampled bool) (Recording, error) {
	group, err := r.folder.Create("twin", plan.Name, cgroup.Limits{
		Bandwidth: &cfs.Bandwidth{QuotaUs: plan.QuotaUs, PeriodUs: plan.PeriodUs}, CpuShares: 1024})
	if err != nil {
		return Recording{}, err
	}
	if err := r.setBurst(group, plan.BurstUs); err != nil {
		return Recording{}, err
	}
	recording := r.host
	recording.Plan = plan
	if recording.LoadAverage, err = loadAverage(); err != nil {
		return Recording{}, err
	}
	err = r.play(plan, group, sampled, &recording)
	_, clearErr := r.folder.Clear()
	return recording, errors.Join(err, clearErr)
}

// setBurst writes the burst where the kernel has one; a plan without needs no such file.
func (r *Runner) setBurst(group *cgroup.Group, burstUs int64) error {
	if burstUs == 0 {
		return nil
	}
	name := "cpu.cfs_burst_us"
	if r.folder.Layout.Version == 2 {
		name = "cpu.max.burst"
	}
	return os.WriteFile(filepath.Join(group.Dirs[0].Path, name), []byte(strconv.FormatInt(burstUs, 10)), 0o644)
}

func (r *Runner) play(plan Plan, group *cgroup.Group, sampled bool, recording *Recording) error {
	server := exec.Command(r.program, group.ProcsFiles()...)
	server.Stderr = os.Stderr
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	orders, err := server.StdinPipe()
	if err != nil {
		return err
	}
	said, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(said)
	err = errors.Join(r.converse(plan, group, sampled, orders, lines, recording), orders.Close())
	if err != nil {
		_ = server.Process.Kill()
	}
	return errors.Join(err, server.Wait())
}

// converse tells the server what to do, reads the kernel's counters where the run begins and ends,
// and takes what the server wrote down.
func (r *Runner) converse(
	plan Plan, group *cgroup.Group, sampled bool, orders io.Writer, lines *bufio.Reader, recording *Recording,
) error {
	if _, err := io.WriteString(orders, r.orders(plan)); err != nil {
		return err
	}
	if err := expect(lines, "ready"); err != nil {
		return err
	}
	before, err := group.Read()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(orders, "go\n"); err != nil {
		return err
	}
	if err := r.awaitEnd(group, sampled, before, lines, recording); err != nil {
		return err
	}
	after, err := group.Read()
	if err != nil {
		return err
	}
	deltas := after.Since(before)
	recording.UsageUs, recording.Periods = deltas.UsageUs, deltas.Periods
	recording.ThrottledPeriods, recording.ThrottledUs = deltas.ThrottledPeriods, deltas.ThrottledUs
	if _, err := io.WriteString(orders, "tell\n"); err != nil {
		return err
	}
	return recording.read(plan, lines)
}

func (r *Runner) awaitEnd(
	group *cgroup.Group, sampled bool, before cgroup.Counters, lines *bufio.Reader, recording *Recording,
) error {
	if !sampled {
		return expect(lines, "over")
	}
	sampler := startSampler(group, before)
	err := expect(lines, "over")
	samples, failure := sampler.end()
	recording.Samples = samples
	return errors.Join(err, failure)
}

func (r *Runner) orders(plan Plan) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d %d %d %d %d %d\n", plan.Threads, plan.TimeoutUs, plan.Retries, plan.HorizonUs,
		len(plan.Requests), r.stepsPerMs)
	for _, request := range plan.Requests {
		fmt.Fprintf(&text, "%d %d", request.ArrivesUs, len(request.TaskUs))
		for _, us := range request.TaskUs {
			fmt.Fprintf(&text, " %d", us)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func expect(lines *bufio.Reader, word string) error {
	line, err := lines.ReadString('\n')
	if strings.TrimSpace(line) != word {
		return fmt.Errorf("the server said %q instead of %q: %w", line, word, err)
	}
	return nil
}

// read takes one line for each request: when it was sent, whether its first attempt failed, when it
// was answered, and the CPU time of its tasks in nanoseconds. A task that never began keeps its plan.
func (recording *Recording) read(plan Plan, lines *bufio.Reader) error {
	var insideNs int64
	for _, request := range plan.Requests {
		line, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("the server's account ends early: %w", err)
		}
		numbers, err := integers(line)
		if err != nil || len(numbers) != 3+len(request.TaskUs) {
			return fmt.Errorf("the server's account says %q: %w", line, err)
		}
		row := []int64{numbers[0], numbers[2], numbers[1]}
		for task, ns := range numbers[3:] {
			insideNs += ns
			us := (ns + 500) / 1000
			if ns == 0 {
				us = request.TaskUs[task]
			}
			row = append(row, us)
		}
		recording.Rows = append(recording.Rows, row)
	}
	recording.OverheadUs = recording.UsageUs - insideNs/1000
	return nil
}

func integers(line string) ([]int64, error) {
	var numbers []int64
	for _, field := range strings.Fields(line) {
		number, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number)
	}
	return numbers, nil
}
