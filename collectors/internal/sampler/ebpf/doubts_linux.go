package ebpf

import "fmt"

// resolveDoubts has the kernel compare run queues on which, as far as the programs saw, nothing has happened since before a
// slice, with what they were last seen to be: what the reader goes on to count would else be as old.
func (l *loop) resolveDoubts(until int64) {
	list, cpus, untilNs := l.kernel.rings.doubts, l.kernel.settings.possibleCPUs, l.slicing.beginNs(until)
	if list == nil || !l.kernel.runnable {
		return
	}
	list.count = 0
	for _, s := range l.shards {
		for cpu, q := range l.kernel.rings.queues[int(s.slot)*cpus : int(s.slot+1)*cpus] {
			if q.runnable == 0 && q.throttled == 0 || int64(q.sinceNs) >= untilNs {
				continue
			}
			list.queues[list.count] = doubt{slot: s.slot, cpu: uint32(cpu)}
			if list.count++; list.count == mostDoubts {
				l.sayFailed(l.kernel.resolveDoubts())
			}
		}
	}
	if list.count > 0 {
		l.sayFailed(l.kernel.resolveDoubts())
	}
}

func (l *loop) sayFailed(err error) {
	if err != nil {
		l.readErrors.Add(1)
	}
}

// resolveDoubts resolves what is in the list, and empties it.
func (k *kernel) resolveDoubts() error {
	_, err := k.collection.Programs[doubtsProgram].Run(&k.run)
	k.rings.doubts.count = 0
	if err != nil {
		return fmt.Errorf("looking at run queues: %w", err)
	}
	return nil
}
