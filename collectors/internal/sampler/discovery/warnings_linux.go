package discovery

import (
	"fmt"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
)

// warnings says each kind of trouble at most once a minute, because trouble on a host with churn comes
// two hundred times a second.
type warnings struct {
	log  sampler.Logger
	said map[string]time.Time
	kept map[string]int
}

const sayAgainAfter = time.Minute

func (w *warnings) say(format string, args ...any) {
	if w.said == nil {
		w.said, w.kept = map[string]time.Time{}, map[string]int{}
	}
	if last, said := w.said[format]; said && time.Since(last) < sayAgainAfter {
		w.kept[format]++
		return
	}
	text := fmt.Sprintf(format, args...)
	if kept := w.kept[format]; kept > 0 {
		text += fmt.Sprintf(" (and %d times more since the last such message)", kept)
	}
	w.said[format], w.kept[format] = time.Now(), 0
	w.log.Warnf("%s", text)
}
