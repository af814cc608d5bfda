package cfs

// Runs follows runs of consecutive throttled periods from readings of nr_periods and nr_throttled
// taken about as often as periods end. A run that crosses a window's end is reported by both
// windows with the length it has reached, so that a long run is visible before it is over.
// The zero value is ready; TakeWindow starts the next window.
type Runs struct {
	current   int64
	seen      int64
	longest   int64
	ambiguous bool
}

// Add takes the growth of both counters since the previous reading. When several periods passed
// and only some were throttled, their order is unknown: the window is marked ambiguous, because a
// guessed run length would be indistinguishable from a measured one.
func (r *Runs) Add(periods, throttled int64) {
	switch {
	case periods <= 0:
		return
	case throttled <= 0:
		r.current = 0
	case throttled >= periods:
		if r.current == 0 {
			r.seen++
		}
		r.current += periods
		r.longest = max(r.longest, r.current)
	default:
		r.ambiguous = true
		r.current = 0
	}
}

// Lose notes that the order of periods since the previous reading cannot be known.
func (r *Runs) Lose() { r.ambiguous, r.current = true, 0 }

// TakeWindow returns the runs that ended or continue in the window, the longest of them in
// periods, and whether both are known. It then begins the next window with the running run.
func (r *Runs) TakeWindow() (runs, longestPeriods int64, known bool) {
	runs, longestPeriods, known = r.seen, r.longest, !r.ambiguous
	r.seen, r.longest, r.ambiguous = 0, r.current, false
	if r.current > 0 {
		r.seen = 1
	}
	return runs, longestPeriods, known
}
