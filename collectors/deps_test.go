package collectors

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/quotascope/quotascope/collectors/"

// listed is what go list says about a package; test files are not part of it.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func listPackages(t *testing.T) map[string]listed {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	require.NoError(t, err)
	packages := map[string]listed{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p listed
		require.NoError(t, decoder.Decode(&p))
		packages[strings.TrimPrefix(p.ImportPath, module)] = p
	}
	return packages
}

// pure packages compute; whoever calls them reads files and clocks and sends records.
var pure = []string{
	"internal/histogram", "internal/secondorder", "internal/counter", "internal/cfs",
	"internal/cgroupfs", "internal/identity", "internal/protection",
}

func TestPurePackagesTouchNothingOutside(t *testing.T) {
	packages := listPackages(t)
	forbidden := map[string]string{
		"os":      "pure packages take bytes and readers; the sampler opens files",
		"net":     "pure packages send nothing",
		"syscall": "pure packages make no system calls",
		"time":    "pure packages get instants from their caller, or a replay would differ from a live run",
		"sync":    "pure packages belong to one goroutine",
		"context": "pure packages wait for nothing",
	}
	for _, name := range pure {
		p, present := packages[name]
		require.True(t, present, "%s is gone: correct this list", name)
		for _, imported := range p.Imports {
			root, _, _ := strings.Cut(imported, "/")
			require.Empty(t, forbidden[root], "%s imports %s", name, imported)
		}
		for _, dep := range p.Deps {
			host, _, _ := strings.Cut(dep, "/")
			outside := strings.Contains(host, ".") && !strings.HasPrefix(dep, module)
			require.False(t, outside, "%s depends on %s: a pure package needs the standard library only", name, dep)
		}
	}
}

func TestPurePackagesDependOnPureOnesOnly(t *testing.T) {
	packages := listPackages(t)
	for _, name := range pure {
		for _, dep := range packages[name].Deps {
			if inside, ours := strings.CutPrefix(dep, module); ours {
				require.True(t, slices.Contains(pure, inside), "%s depends on %s, which is not pure", name, inside)
			}
		}
	}
}

// TestArrows keeps the arrows that must not exist: every row is a package tree, what it may not import
// directly, and why.
func TestArrows(t *testing.T) {
	packages := listPackages(t)
	for _, arrow := range []struct{ from, to, reason string }{
		{"internal/sampler", "github.com/influxdata/telegraf", "samplers hand over records; usagewindow alone maps them to metrics"},
		{"internal/sampler", "github.com/twmb/franz-go", "samplers hand over records; the output sends them"},
		{"internal/usagewindow", module + "internal/sampler", "records do not know where readings come from"},
		{"internal/usagewindow", "github.com/twmb/franz-go", "records do not know how they travel"},
		{"internal/usagewindow", "os", "records are built from readings, not from files"},
		{"plugins/inputs", module + "plugins/outputs", "input and output share records only"},
		{"plugins/outputs", module + "plugins/inputs", "input and output share records only"},
		{"plugins/outputs", module + "internal/sampler", "an output does not measure"},
		{"plugins/inputs", "github.com/twmb/franz-go", "the input sends nothing itself"},
		{"internal/spool", "github.com/twmb/franz-go", "a spool keeps bytes; the output knows where they go"},
		{"internal/spool", "github.com/influxdata/telegraf", "a spool keeps bytes; the output counts and logs for it"},
		{"internal/cgroupfs", module + "internal/identity", "formats know nothing of services"},
		{"internal/naming", module + "internal/sampler", "names do not depend on how usage is sampled"},
		{"internal/naming", "google.golang.org/grpc", "two calls do not pay for a library of megabytes on every host"},
	} {
		matched := false
		for name, p := range packages {
			if !strings.HasPrefix(name, arrow.from) {
				continue
			}
			matched = true
			for _, imported := range p.Imports {
				hit := imported == arrow.to || strings.HasPrefix(imported, arrow.to+"/")
				require.False(t, hit, "%s imports %s: %s", name, imported, arrow.reason)
			}
		}
		require.True(t, matched, "no package %s: correct this list", arrow.from)
	}
}
