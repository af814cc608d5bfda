package sampler

import (
	"cmp"
	"slices"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// countServices states how many records of each service and bandwidth setting the batch holds: those of its own window, and
// apart from them first records of newborns, which were held back for one window and which no statement before could contain.
func countServices(batch *Batch) {
	var own, first []*usagewindow.Window
	for _, w := range batch.Windows {
		if w.WindowStartUs == batch.Host.WindowStartUs {
			own = append(own, w)
		} else {
			first = append(first, w)
		}
	}
	batch.Host.ShardRecords = int32(len(own))
	batch.Host.ServiceRecords, batch.Host.FirstRecords = byService(own), byService(first)
}

// byService counts records by service and setting, in the order of both; none makes an empty list, which is not null.
func byService(windows []*usagewindow.Window) []usagewindow.ServiceRecords {
	type setting struct {
		service       string
		quota, period int64
	}
	counts := map[setting]*usagewindow.ServiceRecords{}
	for _, w := range windows {
		key := setting{service: w.Service, quota: orAbsent(w.QuotaUs), period: orAbsent(w.PeriodUs)}
		if counts[key] == nil {
			counts[key] = &usagewindow.ServiceRecords{Service: w.Service, QuotaUs: w.QuotaUs, PeriodUs: w.PeriodUs}
		}
		counts[key].ShardRecords++
	}
	records := make([]usagewindow.ServiceRecords, 0, len(counts))
	for _, counted := range counts {
		records = append(records, *counted)
	}
	slices.SortFunc(records, func(a, b usagewindow.ServiceRecords) int {
		return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(orAbsent(a.QuotaUs), orAbsent(b.QuotaUs)),
			cmp.Compare(orAbsent(a.PeriodUs), orAbsent(b.PeriodUs)))
	})
	return records
}

// orAbsent gives absence a place in a map key and an order; it never leaves this file.
func orAbsent(value *int64) int64 {
	if value == nil {
		return -1
	}
	return *value
}
