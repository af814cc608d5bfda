package usagewindow

import (
	"unicode/utf8"

	"github.com/quotascope/quotascope/collectors/internal/avro"
)

// excursionThreads appends the union ["null", array]: nil is null, empty is an empty array.
func (b *body) excursionThreads(threads []ExcursionThread) {
	if threads == nil {
		b.bytes = avro.AppendNull(b.bytes)
		return
	}
	for i := range threads {
		if !utf8.ValidString(threads[i].Comm) {
			b.refuse("excursion_threads.comm", "not UTF-8", threads[i].Comm)
		}
	}
	b.bytes = avro.AppendArray(avro.AppendPresent(b.bytes), threads, appendExcursionThread)
}

func appendExcursionThread(dst []byte, thread *ExcursionThread) []byte {
	return avro.AppendLong(avro.AppendString(dst, thread.Comm), thread.UsageUs)
}

func (b *body) serviceRecords(field string, services []ServiceRecords) {
	for i := range services {
		if !utf8.ValidString(services[i].Service) {
			b.refuse(field+".service", "not UTF-8", services[i].Service)
		}
	}
	b.bytes = avro.AppendArray(b.bytes, services, appendServiceRecords)
}

func appendServiceRecords(dst []byte, records *ServiceRecords) []byte {
	dst = avro.AppendString(dst, records.Service)
	dst = avro.AppendOptionalLong(dst, records.QuotaUs)
	dst = avro.AppendOptionalLong(dst, records.PeriodUs)
	return avro.AppendLong(dst, int64(records.ShardRecords))
}

func (b *body) counts(field string, counts map[string]int64) {
	for reason := range counts {
		if !utf8.ValidString(reason) {
			b.refuse(field, "not UTF-8", reason)
		}
	}
	b.bytes = avro.AppendMap(b.bytes, counts, avro.AppendLong)
}

func (b *body) labels(labels map[string]string) {
	for key, value := range labels {
		if !utf8.ValidString(key) || !utf8.ValidString(value) {
			b.refuse("labels."+key, "not UTF-8", value)
		}
	}
	b.bytes = avro.AppendMap(b.bytes, labels, avro.AppendString)
}
