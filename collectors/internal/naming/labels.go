package naming

import "sync/atomic"

// labels lets through the labels that the host's owner allows, and of each only so many different
// values: a label that changes with every container would be a key of its own in every table.
type labels struct {
	seen     map[string]map[string]bool
	most     int
	overflow atomic.Int64
}

func newLabels(keys []string, most int) *labels {
	l := &labels{seen: map[string]map[string]bool{}, most: most}
	for _, key := range keys {
		l.seen[key] = map[string]bool{}
	}
	return l
}

func (l *labels) allowed(all map[string]string) map[string]string {
	var some map[string]string
	for key, seen := range l.seen {
		value, present := all[key]
		if !present || value == "" {
			continue
		}
		if !seen[value] && len(seen) >= l.most {
			l.overflow.Add(1)
			continue
		}
		seen[value] = true
		if some == nil {
			some = map[string]string{}
		}
		some[key] = value
	}
	return some
}
