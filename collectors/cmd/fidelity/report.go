package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/lab/machine"
	"github.com/quotascope/quotascope/collectors/internal/lab/stamp"
)

// Goals of the exact back end; the others are shown beside it.
const (
	goalMeanRatio     = 0.005
	goalDistanceCores = 0.01
	goalSumRatio      = 0.005
	// judgeRatio is how far the stamps may be from the counter at rest to judge a mean at all: on a host that is
	// overloaded by others, what a switch costs differs too much from the calibration.
	judgeRatio = 0.003
	// completeRatio is the share of slices below which a method did not measure the run.
	completeRatio = 0.99
)

type fidelityReport struct {
	Machine     *machine.Machine `json:"machine"`
	Edges       stamp.Edges      `json:"kernel_work_after_the_last_stamp"`
	SecondsEach float64          `json:"seconds_each"`
	Quick       bool             `json:"quick"`
	Results     []result         `json:"results"`
	Missed      []string         `json:"goals_missed"`
	Unjudged    []string         `json:"means_not_judged"`

	methods []string
}

func hostOf(busy bool) string {
	if busy {
		return "busy"
	}
	return "idle"
}

// lines shows one pattern as it ends.
func (r *fidelityReport) lines(got result) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, %s host: %.3f cores, truth %+.2f %% of the counter at rest, %d periods throttled\n",
		got.Pattern, hostOf(got.Busy), got.UsedCores, got.TruthError*100, got.Throttled)
	for _, method := range r.methods {
		c := got.Methods[method]
		fmt.Fprintf(&text, "  %-24s %5d of %5d slices  mean %+7.3f %%  distance %6.3f %% of a core  slice %6.3f  sum %+7.3f %%\n",
			method, c.Slices, c.Expected, c.MeanError*100, c.Distance*100, c.SliceError, c.SumError*100)
	}
	return text.String()
}

// judge lists what the exact back end missed.
func (r *fidelityReport) judge() (ran bool) {
	for _, got := range r.Results {
		c, there := got.Methods[methodEbpf]
		if !there {
			continue
		}
		ran = true
		where := fmt.Sprintf("%s on the %s host", got.Pattern, hostOf(got.Busy))
		for _, goal := range []struct {
			name        string
			value, goal float64
		}{
			{"mean error", r.judged(got, where, c.MeanError), goalMeanRatio},
			{"earth mover's distance in cores", c.Distance, goalDistanceCores},
			{"slice sums against the counter", abs(c.SumError), goalSumRatio},
		} {
			if goal.value > goal.goal {
				r.Missed = append(r.Missed, fmt.Sprintf("%s: %s %.4f, goal %.4f", where, goal.name, goal.value, goal.goal))
			}
		}
		if float64(c.Slices) < completeRatio*float64(c.Expected) {
			r.Missed = append(r.Missed, fmt.Sprintf("%s: %d of %d slices", where, c.Slices, c.Expected))
		}
	}
	return ran
}

// judged is the mean error where the stamps are good enough to judge it. Elsewhere it is only shown.
func (r *fidelityReport) judged(got result, where string, meanError float64) float64 {
	if abs(got.TruthError) > judgeRatio {
		r.Unjudged = append(r.Unjudged, fmt.Sprintf("%s: mean error %+.4f, but the stamps themselves are %+.4f off the counter at rest",
			where, meanError, got.TruthError))
		return 0
	}
	return abs(meanError)
}

func abs(value float64) float64 {
	if value < 0 {
		return -value
	}
	return value
}

// markdown is the run as the journal takes it.
func (r *fidelityReport) markdown() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s. %.0f s a row; two threads that take turns cost %.1f us after the last stamp of a sleep and %.1f us of a switch.\n\n",
		r.Machine, r.SecondsEach, float64(r.Edges.SleptNs)/1e3, float64(r.Edges.SwitchedNs)/1e3)
	text.WriteString("| pattern | host | used cores | method | slices | mean error | earth mover's distance, % of a core | rms error of a slice, cores | sums against the counter |\n")
	text.WriteString("|---|---|---|---|---|---|---|---|---|\n")
	for _, got := range r.Results {
		for _, method := range r.methods {
			c := got.Methods[method]
			fmt.Fprintf(&text, "| %s | %s | %.3f | %s | %d of %d | %+.2f %% | %.2f | %.3f | %+.2f %% |\n", got.Pattern, hostOf(got.Busy),
				got.UsedCores, method, c.Slices, c.Expected, c.MeanError*100, c.Distance*100, c.SliceError, c.SumError*100)
		}
		fmt.Fprintf(&text, "| %s | %s | %.3f | *the stamps themselves* | | | | | %+.2f %% |\n", got.Pattern, hostOf(got.Busy), got.UsedCores,
			got.TruthError*100)
	}
	return text.String()
}

// finish prints the verdict, writes the files, and fails when a goal is missed.
func (r *fidelityReport) finish(folder string) error {
	ran := r.judge()
	fmt.Println(r.Machine)
	for _, missed := range r.Missed {
		fmt.Println("missed:", missed)
	}
	for _, unjudged := range r.Unjudged {
		fmt.Println("not judged:", unjudged)
	}
	if folder != "" {
		if err := r.write(folder); err != nil {
			return err
		}
	}
	switch {
	case !ran:
		fmt.Println("no exact back end ran here, so no goal was judged")
		return nil
	case len(r.Unjudged)*2 > len(r.Results):
		return fmt.Errorf("the stamps of %d of %d rows are too far off to judge a mean; run it on a quieter machine", len(r.Unjudged), len(r.Results))
	case len(r.Missed) > 0:
		return fmt.Errorf("%d goals missed", len(r.Missed))
	}
	fmt.Printf("goals met: mean within %.1f %%, distance within %.0f %% of a core, sums within %.1f %%\n", goalMeanRatio*100,
		goalDistanceCores*100, goalSumRatio*100)
	return nil
}

func (r *fidelityReport) write(folder string) error {
	octets, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(folder, 0o755),
		os.WriteFile(filepath.Join(folder, "fidelity.json"), append(octets, '\n'), 0o644),
		os.WriteFile(filepath.Join(folder, "fidelity.md"), []byte(r.markdown()), 0o644))
}
