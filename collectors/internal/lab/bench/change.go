package bench

import (
	"errors"
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
)

const (
	leastQuotaUs    = 1_000
	leastPeriodUs   = 1_000
	longestPeriodUs = 1_000_000
	mostThreads     = 512
	largestMultiple = 20
	periodDefaultUs = 100_000
)

// Check reports the first thing about a change that cannot be done. The bounds of quota and
// period are the kernel's.
func (c Change) Check() error {
	switch {
	case c.QuotaUs == nil && c.PeriodUs == nil && !c.Unlimited && c.Threads == nil && c.LoadMultiple == nil:
		return errors.New("nothing to change: give --quota-us, --period-us, --unlimited, --threads or --load")
	case c.Unlimited && (c.QuotaUs != nil || c.PeriodUs != nil):
		return errors.New("--unlimited and a quota exclude each other")
	case c.QuotaUs != nil && *c.QuotaUs < leastQuotaUs:
		return fmt.Errorf("--quota-us %d: the kernel takes no less than %d", *c.QuotaUs, leastQuotaUs)
	case c.PeriodUs != nil && (*c.PeriodUs < leastPeriodUs || *c.PeriodUs > longestPeriodUs):
		return fmt.Errorf("--period-us %d: the kernel takes %d to %d", *c.PeriodUs, leastPeriodUs, longestPeriodUs)
	case c.Threads != nil && (*c.Threads < 1 || *c.Threads > mostThreads):
		return fmt.Errorf("--threads %d: want 1 to %d", *c.Threads, mostThreads)
	case c.LoadMultiple != nil && (*c.LoadMultiple <= 0 || *c.LoadMultiple > largestMultiple):
		return fmt.Errorf("--load %v: want more than 0 and at most %d", *c.LoadMultiple, largestMultiple)
	}
	return nil
}

// changedBandwidth keeps what the change does not name.
func changedBandwidth(present *cfs.Bandwidth, change Change) (cfs.Bandwidth, error) {
	if present == nil && change.QuotaUs == nil {
		return cfs.Bandwidth{}, errors.New("the service is unlimited: a period needs a quota with it")
	}
	changed := cfs.Bandwidth{PeriodUs: periodDefaultUs}
	if present != nil {
		changed = *present
	}
	if change.QuotaUs != nil {
		changed.QuotaUs = *change.QuotaUs
	}
	if change.PeriodUs != nil {
		changed.PeriodUs = *change.PeriodUs
	}
	return changed, nil
}

// set carries out a change on all shards of a service.
func (l *lab) set(change Change) error {
	if err := change.Check(); err != nil {
		return err
	}
	found := false
	for _, m := range l.members {
		if m.service.Name != change.Service {
			continue
		}
		if change.Threads != nil && m.service.Traffic == nil {
			return fmt.Errorf("service %s has no pool of threads", change.Service)
		}
		found = true
		if err := m.apply(change); err != nil {
			return fmt.Errorf("%s: %w", m.group.Path, err)
		}
	}
	if !found {
		return fmt.Errorf("service %q does not run in this lab", change.Service)
	}
	change.AtUs = nowUs()
	l.changes = append(l.changes, change)
	l.options.logf("changed %s: %s", change.Service, change)
	return nil
}

// String says what changes, for the log.
func (c Change) String() string {
	text := ""
	add := func(format string, value any) { text += fmt.Sprintf(format, value) }
	if c.QuotaUs != nil {
		add("quota_us %d ", *c.QuotaUs)
	}
	if c.PeriodUs != nil {
		add("period_us %d ", *c.PeriodUs)
	}
	if c.Unlimited {
		add("%s ", "unlimited")
	}
	if c.Threads != nil {
		add("threads %d ", *c.Threads)
	}
	if c.LoadMultiple != nil {
		add("load multiple %v ", *c.LoadMultiple)
	}
	return text
}
