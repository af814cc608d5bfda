package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/bench"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// emulated is set where CPUs are emulated by a program: nothing that depends on their speed is judged there.
const emulated = "QUOTASCOPE_EMULATED"

func TestARunEndsWithTheKernelsCounters(t *testing.T) {
	root := realFolder(t)
	file := filepath.Join(t.TempDir(), "truth.json")
	out, err := cfslab("run", "--root", root, "--services", "checkout,reports-idle,batch-neighbour", "--duration", "4s", "--linger",
		"1s", "--scale", "2", "--truth", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	account := readTruth(t, file)
	if !account.Final || len(account.Services) != 3 {
		t.Fatalf("final %v, %d services", account.Final, len(account.Services))
	}
	for _, service := range account.Services {
		for _, shard := range service.Shards {
			checkShard(t, service.Service, shard)
		}
	}
	checkout, idle, batch := account.Services[0].Shards[0], account.Services[1].Shards[0], account.Services[2].Shards[0]
	if checkout.Deltas.ThrottledPeriods == 0 || checkout.Deltas.ThrottledUs == 0 {
		t.Errorf("checkout was never throttled: %+v", checkout.Deltas)
	}
	// On a machine slow enough even the start of an idle service is throttled; never half as much.
	if ratio, _ := idle.Deltas.ThrottledPeriodRatio(); ratio > *checkout.ThrottledPeriodRatio/2 && os.Getenv(emulated) == "" {
		t.Errorf("reports-idle was throttled: %+v", idle.Deltas)
	}
	if batch.QuotaUs != nil || batch.Deltas.Periods != 0 || batch.ThrottledPeriodRatio != nil {
		t.Errorf("an unlimited group has a quota or periods: %+v", batch.Deltas)
	}
	// A calibrated millisecond costs at least that much CPU; were the service's work charged
	// elsewhere, its cgroup would show less than it did.
	if workUs := idle.Report.RequestsDone * 1000; idle.Deltas.UsageUs < workUs*7/10 {
		t.Errorf("reports-idle did %d us of work, but its cgroup shows %d us", workUs, idle.Deltas.UsageUs)
	}
}

func checkShard(t *testing.T, service string, shard bench.ShardTruth) {
	t.Helper()
	// Not its periods: the kernel's timer begins with the quota, and may have counted one in which nothing ran.
	if shard.Before.UsageUs != 0 || shard.Before.ThrottledPeriods != 0 {
		t.Errorf("%s: a new cgroup does not start at zero: %+v", service, shard.Before)
	}
	if shard.Deltas.UsageUs < 10_000 || shard.Tasks == nil || *shard.Tasks < int64(shard.Threads) {
		t.Errorf("%s: usage %d us, tasks %v for %d threads", service, shard.Deltas.UsageUs, shard.Tasks, shard.Threads)
	}
	if shard.Report == nil || !shard.Report.Final {
		t.Errorf("%s: the shard gave no last report", service)
	}
	if requests := shard.Requests; requests != nil && requests.Offered != requests.Answered+requests.GivenUp {
		t.Errorf("%s: %+v does not add up", service, *requests)
	}
	for _, dir := range shard.CgroupDirs {
		if dir.Inode == 0 || !strings.HasSuffix(dir.Path, shard.CgroupPath) {
			t.Errorf("%s: directory %+v of %s", service, dir, shard.CgroupPath)
		}
	}
}

// TestAKilledLabLeavesNothing is the promise of the janitor, tested with the real signal.
func TestAKilledLabLeavesNothing(t *testing.T) {
	root := realFolder(t)
	lab := startLab(t, root, "checkout,fibtest-workers")
	pids := shardPids(t, root)
	if len(pids) != 3 {
		t.Fatalf("want 3 shards in the cgroups, found processes %v", pids)
	}
	if err := lab.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = lab.Wait()
	for deadline := time.Now().Add(15 * time.Second); len(groupsOf(t, root)) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("cgroups are left 15 s after SIGKILL: %v", groupsOf(t, root))
		}
	}
	for _, pid := range pids {
		if alive(pid) {
			t.Errorf("shard %d outlived the lab", pid)
		}
	}
}

func TestTwoLabsDoNotShareAFolder(t *testing.T) {
	root := realFolder(t)
	lab := startLab(t, root, "reports-idle")
	for _, args := range [][]string{{"run", "--root", root, "--duration", "1s"}, {"clean", "--root", root}} {
		out, err := cfslab(args...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitCannot || !bytes.Contains(out, []byte("another lab runs")) {
			t.Errorf("%s: %v\n%s", args[0], err, out)
		}
	}
	stopLab(t, lab)
}

func TestALabIsChangedWhileItRuns(t *testing.T) {
	root := realFolder(t)
	file := filepath.Join(t.TempDir(), "truth.json")
	lab := startLab(t, root, "auth-tuned", "--truth", file)
	if out, err := cfslab("set", "auth-tuned", "--root", root, "--quota-us", "7000", "--threads", "9", "--load", "1.5").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	account := truthSoFar(t, root)
	// New threads need some of the new, small quota before they stand.
	for deadline := time.Now().Add(20 * time.Second); *account.Services[0].Shards[0].Tasks < 9 && time.Now().Before(deadline); {
		time.Sleep(100 * time.Millisecond)
		account = truthSoFar(t, root)
	}
	shard := account.Services[0].Shards[0]
	if account.Final || len(account.Changes) != 1 || *shard.QuotaUs != 7000 || shard.Threads != 9 || shard.LoadMultiple != 1.5 || *shard.Tasks < 9 {
		t.Errorf("the truth does not show the change: %+v", shard)
	}
	time.Sleep(time.Second)
	if !kernelSays(t, shard.CgroupDirs, "7000") {
		t.Error("the kernel does not have the new quota")
	}
	if out, err := cfslab("set", "no-such-service", "--root", root, "--load", "2").CombinedOutput(); err == nil {
		t.Errorf("an unknown service was changed: %s", out)
	}
	stopLab(t, lab)
	if final := readTruth(t, file); !final.Final || final.Services[0].Shards[0].Deltas.ThrottledPeriods == 0 {
		t.Errorf("seven ms per period are not enough for auth-tuned, yet: %+v", final.Services[0].Shards[0].Deltas)
	}
}

func TestCleanRemovesLeftovers(t *testing.T) {
	root := realFolder(t)
	folder, err := cgroup.Acquire(root)
	if err != nil {
		t.Fatal(err)
	}
	group, err := folder.Create("checkout", "shard-0", cgroup.Limits{CpuShares: 1024})
	if err != nil {
		t.Fatal(err)
	}
	if folderDir := filepath.Dir(filepath.Dir(group.Dirs[0].Path)); weightOf(t, folderDir) <= 10*weightOf(t, filepath.Dir(group.Dirs[0].Path)) {
		t.Error("the folder weighs little more than one of its services: on a busy machine the whole lab would starve")
	}
	sleeper := exec.Command("sleep", "60")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range group.Dirs {
		procs := filepath.Join(dir.Path, "cgroup.procs")
		if err := os.WriteFile(procs, []byte(strconv.Itoa(sleeper.Process.Pid)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// A dead run holds no lock.
	if err := folder.Lock().Close(); err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() { waited <- sleeper.Wait() }()
	if out, err := cfslab("clean", "--root", root).CombinedOutput(); err != nil || !bytes.Contains(out, []byte("ended 1 processes")) {
		t.Errorf("%v\n%s", err, out)
	}
	if err := <-waited; err == nil {
		t.Error("the process of the dead run lived on")
	}
}
