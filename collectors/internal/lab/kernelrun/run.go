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

// Run runs one plan in fresh cgroups; sampled says whether their counters are read every 10 ms.
func (r *Runner) Run(plan Plan, sampled bool) (recording Recording, err error) {
	defer func() {
		_, clearErr := r.folder.Clear()
		err = errors.Join(err, clearErr)
	}()
	var groups []*cgroup.Group
	for shard := range plan.Shards {
		group, err := r.folder.Create("twin", fmt.Sprintf("%s.%d", plan.Name, shard), cgroup.Limits{
			Bandwidth: &cfs.Bandwidth{QuotaUs: plan.QuotaUs, PeriodUs: plan.PeriodUs}, CpuShares: 1024})
		if err != nil {
			return Recording{}, err
		}
		if err := r.setBurst(group, plan.BurstUs); err != nil {
			return Recording{}, err
		}
		groups = append(groups, group)
	}
	recording = r.host
	recording.Plan = plan
	recording.Accounts = make([]Account, plan.Shards)
	if recording.LoadAverage, err = loadAverage(); err != nil {
		return Recording{}, err
	}
	err = r.play(plan, groups, sampled, &recording)
	return recording, err
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

func (r *Runner) play(plan Plan, groups []*cgroup.Group, sampled bool, recording *Recording) error {
	var procsFiles []string
	for _, group := range groups {
		procsFiles = append(procsFiles, group.ProcsFiles()...)
	}
	server := exec.Command(r.program, procsFiles...)
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
	err = errors.Join(r.converse(plan, groups, sampled, orders, lines, recording), orders.Close())
	if err != nil {
		_ = server.Process.Kill()
	}
	return errors.Join(err, server.Wait())
}

// converse tells the server what to do, reads the kernel's counters where the run begins and ends,
// and takes what the server wrote down.
func (r *Runner) converse(
	plan Plan, groups []*cgroup.Group, sampled bool, orders io.Writer, lines *bufio.Reader, recording *Recording,
) error {
	if _, err := io.WriteString(orders, r.orders(plan)); err != nil {
		return err
	}
	if err := expect(lines, "ready"); err != nil {
		return err
	}
	before, err := readAll(groups)
	if err != nil {
		return err
	}
	machineBefore, err := readMachine()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(orders, "go\n"); err != nil {
		return err
	}
	if err := awaitEnd(groups, sampled, before, lines, recording); err != nil {
		return err
	}
	after, err := readAll(groups)
	if err != nil {
		return err
	}
	machineAfter, err := readMachine()
	if err != nil {
		return err
	}
	recording.take(before, after, machineBefore, machineAfter)
	if _, err := io.WriteString(orders, "tell\n"); err != nil {
		return err
	}
	return recording.read(plan, lines)
}

func readAll(groups []*cgroup.Group) ([]cgroup.Counters, error) {
	counters := make([]cgroup.Counters, len(groups))
	var err error
	for shard, group := range groups {
		if counters[shard], err = group.Read(); err != nil {
			return nil, err
		}
	}
	return counters, nil
}

// take keeps what the counters grew by, of the shards and of the machine around them.
func (recording *Recording) take(before, after []cgroup.Counters, machineBefore, machineAfter machineTime) {
	var usedUs int64
	for shard := range recording.Accounts {
		account, deltas := &recording.Accounts[shard], after[shard].Since(before[shard])
		account.UsageUs, account.Periods = deltas.UsageUs, deltas.Periods
		account.ThrottledPeriods, account.ThrottledUs = deltas.ThrottledPeriods, deltas.ThrottledUs
		usedUs += deltas.UsageUs
	}
	recording.OtherCores, recording.StealCores = machineAfter.others(machineBefore, usedUs)
}

func awaitEnd(
	groups []*cgroup.Group, sampled bool, before []cgroup.Counters, lines *bufio.Reader, recording *Recording,
) error {
	if !sampled {
		return expect(lines, "over")
	}
	samplers := make([]*sampler, len(groups))
	for shard, group := range groups {
		samplers[shard] = startSampler(group, before[shard])
	}
	err := expect(lines, "over")
	for shard, sampler := range samplers {
		samples, failure := sampler.end()
		recording.Accounts[shard].Samples = samples
		err = errors.Join(err, failure)
	}
	return err
}

func (r *Runner) orders(plan Plan) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d %d %d %d %d %d %d %d\n", plan.Threads, plan.TimeoutUs, plan.Retries, plan.HorizonUs,
		len(plan.Requests), r.stepsPerMs, plan.Shards, r.host.Cpus)
	for cpus := range r.host.Cpus + 1 {
		fmt.Fprintf(&text, "%.0f ", 1000*plan.Price(cpus))
	}
	text.WriteByte('\n')
	for _, request := range plan.Requests {
		fmt.Fprintf(&text, "%d %d %d", request.ArrivesUs, request.Home, len(request.TaskUs))
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

// read takes a line with the instants at which shards were left, one with the CPU time that each spent inside of
// tasks, and one for each request: when it was sent, whether its first attempt failed, when it was answered, and the
// work of its tasks in nanoseconds of CPU time. A task that never began keeps its plan.
func (recording *Recording) read(plan Plan, lines *bufio.Reader) error {
	if err := recording.readShards(lines); err != nil {
		return err
	}
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
			us := (ns + 500) / 1000
			if ns == 0 {
				us = request.TaskUs[task]
			}
			row = append(row, us)
		}
		recording.Rows = append(recording.Rows, row)
	}
	return nil
}

func (recording *Recording) readShards(lines *bufio.Reader) error {
	left, err := recording.ofEachShard(lines)
	if err != nil {
		return err
	}
	insideNs, err := recording.ofEachShard(lines)
	if err != nil {
		return err
	}
	for shard := range recording.Accounts {
		account := &recording.Accounts[shard]
		account.LeftUs = left[shard]
		account.OverheadUs = account.UsageUs - insideNs[shard]/1000
	}
	return nil
}

func (recording *Recording) ofEachShard(lines *bufio.Reader) ([]int64, error) {
	line, err := lines.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the server's account ends early: %w", err)
	}
	numbers, err := integers(line)
	if err != nil || len(numbers) != len(recording.Accounts) {
		return nil, fmt.Errorf("the server's account of shards says %q: %w", line, err)
	}
	return numbers, nil
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
