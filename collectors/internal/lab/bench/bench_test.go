package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

func pointer[T any](value T) *T { return &value }

func TestChangesAreChecked(t *testing.T) {
	wrong := map[string]Change{
		"nothing":     {Service: "a"},
		"exclude":     {Unlimited: true, QuotaUs: pointer(int64(5000))},
		"--quota-us":  {QuotaUs: pointer(int64(999))},
		"--period-us": {PeriodUs: pointer(int64(2_000_000))},
		"--threads":   {Threads: pointer(0)},
		"--load":      {LoadMultiple: pointer(-1.0)},
	}
	for want, change := range wrong {
		if err := change.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want an error about %s", change, err, want)
		}
	}
	if err := (Change{QuotaUs: pointer(int64(1000)), Threads: pointer(3)}).Check(); err != nil {
		t.Errorf("a good change was refused: %v", err)
	}
}

func TestAChangeKeepsWhatItDoesNotName(t *testing.T) {
	present := &cfs.Bandwidth{QuotaUs: 20_000, PeriodUs: 50_000}
	if got, err := changedBandwidth(present, Change{QuotaUs: pointer(int64(30_000))}); err != nil || got != (cfs.Bandwidth{QuotaUs: 30_000, PeriodUs: 50_000}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := changedBandwidth(nil, Change{QuotaUs: pointer(int64(30_000))}); err != nil || got.PeriodUs != 100_000 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := changedBandwidth(nil, Change{PeriodUs: pointer(int64(30_000))}); err == nil {
		t.Error("an unlimited service got a period without a quota")
	}
	if *present != (cfs.Bandwidth{QuotaUs: 20_000, PeriodUs: 50_000}) {
		t.Error("the present limit was changed in place")
	}
}

func TestTruthIsReplacedWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "truth.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := Truth{FormatVersion: 1, Final: true, Seed: 9, Services: []ServiceTruth{{Service: "checkout"}}}
	if err := want.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got Truth
	if err := json.Unmarshal(text, &got); err != nil || got.Seed != 9 || got.Services[0].Service != "checkout" {
		t.Errorf("got %s, %v", text, err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	if err := want.WriteFile(filepath.Join(path, "below", "a-file")); err == nil || !strings.Contains(err.Error(), "--truth") {
		t.Errorf("an impossible file must be named with its option, got %v", err)
	}
}

func TestTableShowsAbsenceAsAbsence(t *testing.T) {
	ratio := 0.25
	limited := ShardTruth{Shard: "shard-0", QuotaUs: pointer(int64(20_000)), PeriodUs: pointer(int64(100_000)),
		Deltas: cgroup.Deltas{Periods: 8, ThrottledPeriods: 2, ThrottledUs: 100_000}, ThrottledPeriodRatio: &ratio}
	free := ShardTruth{Shard: "shard-0"}
	var out bytes.Buffer
	account := Truth{Services: []ServiceTruth{{Service: "checkout", Shards: []ShardTruth{limited}}, {Service: "batch", Shards: []ShardTruth{free}}}}
	if err := account.WriteTable(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for _, want := range []string{"checkout", "0.20", "2/8", "25.0 %", "50"} {
		if !strings.Contains(lines[1], want) {
			t.Errorf("line %q lacks %q", lines[1], want)
		}
	}
	for _, want := range []string{"batch", "unlimited", "0/0", "-"} {
		if !strings.Contains(lines[2], want) {
			t.Errorf("line %q lacks %q", lines[2], want)
		}
	}
	if strings.Contains(lines[2], "%") {
		t.Errorf("a group without periods has no ratio: %q", lines[2])
	}
}
