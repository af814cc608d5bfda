package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/lab/kernelrun"
)

// part is a set of runs.
type part struct {
	plannedUs int64
	run       func(*session) error
}

func partOf(o options) (part, error) {
	switch o.part {
	case "simulator":
		return simulator(o), nil
	case "changes":
		return changes(o), nil
	case "collapse":
		return collapse(o), nil
	}
	return part{}, fmt.Errorf("--part %s: there are simulator, changes and collapse", o.part)
}

// repeated is how many services there are for each one that runs twice, so that the kernel can be
// compared with itself.
const repeated = 3

func simulator(o options) part {
	var plans []kernelrun.Plan
	for _, plan := range kernelrun.Services(o.seed) {
		if strings.HasPrefix(plan.Name, o.only) {
			plans = append(plans, plan)
		}
	}
	once := len(plans)
	for number := 0; number < once; number += repeated {
		plans = append(plans, plans[number])
	}
	all := part{}
	for _, plan := range plans {
		all.plannedUs += plan.HorizonUs
	}
	all.run = func(s *session) error {
		for _, plan := range plans {
			if _, err := s.one(plan, false); err != nil {
				return err
			}
		}
		return nil
	}
	return all
}

func changes(o options) part {
	var all part
	var cases []kernelrun.Case
	for _, service := range kernelrun.Changes(o.seed) {
		if strings.HasPrefix(service.Observed.Name, o.only) {
			cases = append(cases, service)
			all.plannedUs += int64(1+len(service.Changed)) * service.Observed.HorizonUs
		}
	}
	all.run = func(s *session) error {
		for _, service := range cases {
			if _, err := s.one(service.Observed, true); err != nil {
				return err
			}
			for _, plan := range service.Changed {
				if _, err := s.one(plan, false); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return all
}

// collapse raises the load of each service until it collapses.
func collapse(o options) part {
	var all part
	var services []kernelrun.Driven
	for _, service := range kernelrun.DrivenServices(o.seed) {
		if strings.HasPrefix(service.Name, o.only) {
			services = append(services, service)
			all.plannedUs += service.SearchUs()
		}
	}
	all.run = func(s *session) error {
		for _, service := range services {
			err := service.Search(func(plan kernelrun.Plan, sampled bool) (bool, error) {
				recording, err := s.one(plan, sampled)
				return recording.Collapsed(), err
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	return all
}

// session runs plans and writes down what came out.
type session struct {
	runner *kernelrun.Runner
	out    io.Writer
	// spareUs is the time left for repeating runs that were disturbed.
	spareUs int64
}

// one runs a plan. A run that was disturbed is repeated once while there is time to spare, and the one of the
// two that was disturbed less is kept.
func (s *session) one(plan kernelrun.Plan, sampled bool) (kernelrun.Recording, error) {
	recording, err := s.runner.Run(plan, sampled)
	if err == nil && recording.Disturbed() && s.spareUs >= plan.HorizonUs {
		s.spareUs -= plan.HorizonUs
		var again kernelrun.Recording
		if again, err = s.runner.Run(plan, sampled); err == nil && again.OtherCores < recording.OtherCores {
			recording = again
		}
	}
	if err != nil {
		return recording, fmt.Errorf("%s: %w", plan.Name, err)
	}
	say(recording)
	_, err = recording.WriteTo(s.out)
	return recording, err
}

func say(recording kernelrun.Recording) {
	var throttled, periods int64
	for _, account := range recording.Accounts {
		throttled += account.ThrottledPeriods
		periods += account.Periods
	}
	remark := ""
	if recording.Disturbed() {
		remark = ", disturbed"
	}
	if recording.Collapsed() {
		remark += ", collapsed"
	}
	fmt.Fprintf(os.Stderr, "%-24s throttled %3d of %3d periods, others took %.2f cores%s\n", recording.Name,
		throttled, periods, recording.OtherCores, remark)
}
