package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/burn"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// lab is one run. Its loop, in the goroutine of Run, is the only one that touches it.
type lab struct {
	options Options
	folder  *cgroup.Folder
	speed   burn.Speed
	members []*member
	changes []Change

	signals  chan os.Signal
	calls    chan call
	failures chan error

	loadStartedUs, loadEndedUs, lastTaskEndedUs int64
}

// Run runs the lab from the first cgroup to the removal of the last. Its caller must be locked to
// the main thread, because shards end when the thread that started them does.
func Run(options Options) (failed error) {
	if err := options.Check(); err != nil {
		return err
	}
	l := &lab{options: options, signals: make(chan os.Signal, 4), calls: make(chan call), failures: make(chan error, 64)}
	signal.Notify(l.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1)
	defer signal.Stop(l.signals)
	folder, err := cgroup.Acquire(options.FolderName)
	if err != nil {
		return err
	}
	l.folder = folder
	leftovers, err := folder.Clear()
	if err != nil {
		return errors.Join(err, folder.Release())
	}
	if leftovers.Groups > 0 {
		options.logf("removed %d cgroup folders and ended %d processes of a dead run", leftovers.Groups, leftovers.Processes)
	}
	janitor, err := startJanitor(folder)
	if err != nil {
		return errors.Join(err, folder.Release())
	}
	defer func() {
		_, clearErr := folder.Clear()
		failed = errors.Join(failed, clearErr, folder.Remove(), janitor.dismiss(), folder.Release())
	}()
	return l.live()
}

func (l *lab) live() error {
	l.speed = burn.Calibrate()
	for _, service := range l.options.Services {
		for index := range service.ShardLoads {
			l.members = append(l.members, newMember(service, index, l.options.Scale))
		}
	}
	listener, err := listenControl(l.folder.Path, l.calls)
	if err != nil {
		return err
	}
	defer listener.Close()
	for _, m := range l.members {
		if err := m.start(l.folder, l.speed, l.options.Seed); err != nil {
			return err
		}
	}
	for _, m := range l.members {
		if err := m.process.awaitReady(); err != nil {
			return fmt.Errorf("%s: %w", m.group.Path, err)
		}
	}
	if err := l.offerLoad(); err != nil {
		return err
	}
	l.finish()
	l.linger()
	for _, m := range l.members {
		if m.after, err = m.group.Read(); err != nil {
			return err
		}
	}
	return l.publish()
}

// offerLoad lets clients ask until the time is over or a signal comes.
func (l *lab) offerLoad() error {
	ctx, stopClients := context.WithCancel(context.Background())
	defer stopClients()
	l.loadStartedUs = nowUs()
	for _, m := range l.members {
		m.ask(ctx)
		go l.watch(ctx, m)
	}
	until := "until SIGINT or SIGTERM"
	var over <-chan time.Time
	if l.options.Duration > 0 {
		until = "for " + l.options.Duration.String()
		over = time.After(l.options.Duration)
	}
	l.options.logf("%d shards of %d services run in /%s (cgroup v%d, pid %d), %s", len(l.members), len(l.options.Services),
		l.folder.Path, l.folder.Layout.Version, os.Getpid(), until)
	if err := l.loop(over); err != nil {
		return err
	}
	for _, m := range l.members {
		if err := m.countTasks(); err != nil {
			return err
		}
	}
	stopClients()
	for _, m := range l.members {
		<-m.clientDone
	}
	l.loadEndedUs = nowUs()
	return nil
}

// loop serves signals and requests until the load is over, a signal ends it, or a shard dies.
func (l *lab) loop(over <-chan time.Time) error {
	for {
		select {
		case <-over:
			return nil
		case failure := <-l.failures:
			return failure
		case got := <-l.signals:
			if got != syscall.SIGUSR1 {
				l.options.logf("%v: ending; once more to skip the wait for the last windows", got)
				return nil
			}
			l.writeSnapshot()
		case asked := <-l.calls:
			asked.reply <- l.answer(asked.request)
		}
	}
}

func (l *lab) answer(request Request) Reply {
	var err error
	switch {
	case request.Set != nil:
		err = l.set(*request.Set)
	case request.Truth:
		var account Truth
		if account, err = l.truth(false); err == nil {
			return Reply{Truth: &account}
		}
	default:
		err = errors.New("the lab knows only the requests set and truth")
	}
	if err != nil {
		return Reply{Error: err.Error()}
	}
	return Reply{}
}

// watch reports a shard that ends while it is still wanted.
func (l *lab) watch(ctx context.Context, m *member) {
	select {
	case <-ctx.Done():
	case <-m.process.exited:
		if ctx.Err() == nil {
			l.failures <- fmt.Errorf("%s ended by itself: %v", m.group.Path, m.process.exitErr)
		}
	}
}

// finish ends all shards, at the same time because a throttled one takes a while.
func (l *lab) finish() {
	var ending sync.WaitGroup
	for _, m := range l.members {
		ending.Go(func() { m.report = m.process.finish() })
	}
	ending.Wait()
	l.lastTaskEndedUs = nowUs()
	for _, m := range l.members {
		if m.report == nil {
			l.options.logf("%s had to be killed and gave no last report: %v", m.group.Path, m.process.exitErr)
		}
	}
}

// linger keeps the empty cgroups until collectors have read their last counters.
func (l *lab) linger() {
	if l.options.Linger == 0 {
		return
	}
	l.options.logf("all tasks ended; the cgroups stay for %v", l.options.Linger)
	over := time.After(l.options.Linger)
	for {
		select {
		case <-over:
			return
		case got := <-l.signals:
			if got != syscall.SIGUSR1 {
				return
			}
			l.writeSnapshot()
		case asked := <-l.calls:
			reply := Reply{Error: "the lab is ending and takes no more changes"}
			if asked.request.Truth {
				reply = l.answer(asked.request)
			}
			asked.reply <- reply
		}
	}
}
