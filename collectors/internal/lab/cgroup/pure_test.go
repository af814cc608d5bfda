package cgroup

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
)

func TestParseLayout(t *testing.T) {
	const v2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
	cases := map[string]struct {
		text string
		want Layout
	}{
		"three trees of their own": {
			"26 25 0:22 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" +
				"27 25 0:23 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n" +
				"33 25 0:29 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n" + v2,
			Layout{1, []Tree{{"/sys/fs/cgroup/cpu", []string{"cpu"}}, {"/sys/fs/cgroup/cpuacct", []string{"cpuacct"}},
				{"/sys/fs/cgroup/pids", []string{"pids"}}}},
		},
		"cpu and cpuacct share a mount, with optional fields and a space in the path": {
			`34 25 0:30 / /sys/fs/my\040cgroup/cpu,cpuacct rw,nosuid shared:15 master:3 - cgroup cgroup rw,cpu,cpuacct` + "\n" +
				"35 25 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n",
			Layout{1, []Tree{{"/sys/fs/my cgroup/cpu,cpuacct", []string{"cpu", "cpuacct"}}, {"/sys/fs/cgroup/pids", []string{"pids"}}}},
		},
		"unified": {v2, Layout{2, []Tree{{"/sys/fs/cgroup", []string{"cpu", "pids"}}}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ParseLayout(strings.NewReader(c.text))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, c.want)
			}
		})
	}
}

func TestParseLayoutSaysWhatIsMissing(t *testing.T) {
	cases := map[string]string{
		"no cgroup tree": "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n",
		"cpuacct":        "26 25 0:22 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n",
	}
	for problem, text := range cases {
		_, err := ParseLayout(strings.NewReader(text))
		var unavailable *Unavailable
		if !errors.As(err, &unavailable) || !strings.Contains(unavailable.Problem, problem) || unavailable.Remedy == "" {
			t.Errorf("want a problem that names %q and a remedy, got %v", problem, err)
		}
	}
}

func TestCumulativeTimesAreFlooredBeforeSubtraction(t *testing.T) {
	stat := func(throttledNs string) string {
		return "nr_periods 10\nnr_throttled 4\nthrottled_time " + throttledNs + "\nnr_bursts 0\nburst_time 0\n"
	}
	before, err := countersV1(stat("1999"), "2999\n")
	if err != nil {
		t.Fatal(err)
	}
	after, err := countersV1(stat("5001"), "7000\n")
	if err != nil {
		t.Fatal(err)
	}
	// floor(5001/1000) - floor(1999/1000) = 5 - 1 = 4, though floor((5001-1999)/1000) is 3.
	if got := after.Since(before); got.ThrottledUs != 4 || got.UsageUs != 5 {
		t.Errorf("got %+v, want throttled 4 us and usage 5 us", got)
	}
	if after.Raw["cpuacct.usage"] != 7000 || after.Raw["cpu.stat:throttled_time"] != 5001 {
		t.Errorf("raw figures are not what the kernel wrote: %v", after.Raw)
	}
}

func TestCountersV2(t *testing.T) {
	got, err := countersV2("usage_usec 1234\nuser_usec 1000\nsystem_usec 234\nnice_usec 0\nnr_periods 7\nnr_throttled 2\n" +
		"throttled_usec 55\nnr_bursts 0\nburst_usec 0\n")
	if err != nil || got.UsageUs != 1234 || got.Periods != 7 || got.ThrottledPeriods != 2 || got.ThrottledUs != 55 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := countersV2("usage_usec 1\nuser_usec 1\nsystem_usec 0\n"); err == nil || !strings.Contains(err.Error(), "nr_periods") {
		t.Errorf("without the cpu controller there are no counters to trust, got %v", err)
	}
}

func TestRatioIsAbsentWithoutPeriods(t *testing.T) {
	if _, any := (Deltas{UsageUs: 5}).ThrottledPeriodRatio(); any {
		t.Error("no period elapsed, yet there is a ratio")
	}
	if ratio, any := (Deltas{Periods: 8, ThrottledPeriods: 2}).ThrottledPeriodRatio(); !any || ratio != 0.25 {
		t.Errorf("got %v, %v", ratio, any)
	}
}

func TestSettings(t *testing.T) {
	limited := Limits{Bandwidth: &cfs.Bandwidth{QuotaUs: 20_000, PeriodUs: 50_000}, CpuShares: 102}
	free := Limits{CpuShares: 1024}
	cases := []struct {
		version int
		limits  Limits
		inForce int64
		want    []setting
	}{
		{1, limited, 50_000, []setting{{"cpu.shares", "102"}, {"cpu.cfs_quota_us", "20000"}}},
		{1, limited, 100_000, []setting{{"cpu.shares", "102"}, {"cpu.cfs_quota_us", "-1"}, {"cpu.cfs_period_us", "50000"},
			{"cpu.cfs_quota_us", "20000"}}},
		{1, free, 100_000, []setting{{"cpu.shares", "1024"}, {"cpu.cfs_quota_us", "-1"}}},
		{2, limited, 0, []setting{{"cpu.weight", "9"}, {"cpu.max", "20000 50000"}}},
		{2, free, 0, []setting{{"cpu.weight", "100"}, {"cpu.max", "max"}}},
	}
	for _, c := range cases {
		if got := (&Group{version: c.version}).settings(c.limits, c.inForce); !reflect.DeepEqual(got, c.want) {
			t.Errorf("v%d: got %v, want %v", c.version, got, c.want)
		}
	}
}

func TestFolderStaysInOurHome(t *testing.T) {
	for _, name := range []string{"", "..", "../x", "a/b", "/", "Lab", ".hidden"} {
		if _, err := Find(name); err == nil {
			t.Errorf("--root %q was accepted", name)
		}
	}
}
