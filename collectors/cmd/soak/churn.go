package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// clearAgain is how often removing is tried again: on a starved machine killed processes take longer than one try's ten seconds.
const clearAgain = 5

// churn makes and removes cgroups of one folder.
type churn struct {
	folder  *cgroup.Folder
	random  *rand.Rand
	created int
	alive   []life
	// standing are the cgroups that stay.
	standing []*cgroup.Group
}

// life is a cgroup that is to be removed at its end.
type life struct {
	group *cgroup.Group
	ends  time.Time
}

func newChurn(folder *cgroup.Folder) *churn {
	return &churn{folder: folder, random: rand.New(rand.NewPCG(1, 2))}
}

// stand makes the cgroups that stay. One in five works, against a quota of a fiftieth of a CPU, so that there is something
// to sample and to throttle and the machine stays usable.
func (c *churn) stand(ctx context.Context, count int) error {
	for i := range count {
		group, err := c.folder.Create("standing", fmt.Sprintf("s%d", i), limits())
		if err != nil {
			return err
		}
		c.standing = append(c.standing, group)
		if i%5 == 0 {
			if err := work(ctx, group); err != nil {
				return err
			}
		}
	}
	return nil
}

func limits() cgroup.Limits {
	return cgroup.Limits{Bandwidth: &cfs.Bandwidth{QuotaUs: 2_000, PeriodUs: 100_000}, CpuShares: 1024}
}

// work keeps one busy loop in a cgroup until the folder is cleared.
func work(ctx context.Context, group *cgroup.Group) error {
	var enter strings.Builder
	for _, dir := range group.Dirs {
		fmt.Fprintf(&enter, "echo $$ > %s/cgroup.procs && ", dir.Path)
	}
	command := exec.CommandContext(ctx, "sh", "-c", enter.String()+"while :; do :; done")
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return err
	}
	go func() { _ = command.Wait() }() // ends when the folder is cleared
	return nil
}

// run creates so many cgroups a second, each for a tenth of a second to twenty seconds, and removes them at their ends. Names
// come back, so that one path is many incarnations.
func (c *churn) run(ctx context.Context, perSecond int) error {
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return c.removeUntil(time.Now().Add(time.Hour))
		case now := <-tick.C:
			if err := c.removeUntil(now); err != nil {
				return err
			}
			name := fmt.Sprintf("c%d", c.created%(30*perSecond))
			group, err := c.folder.Create("churning", name, limits())
			if err != nil {
				return err
			}
			c.created++
			lives := 100*time.Millisecond + time.Duration(c.random.ExpFloat64()*float64(2*time.Second))
			c.alive = append(c.alive, life{group, now.Add(min(lives, 20*time.Second))})
		}
	}
}

// removeUntil removes every cgroup whose end has come.
func (c *churn) removeUntil(now time.Time) error {
	kept := c.alive[:0]
	var failed error
	for _, each := range c.alive {
		if each.ends.After(now) {
			kept = append(kept, each)
			continue
		}
		for _, dir := range each.group.Dirs {
			if err := syscall.Rmdir(dir.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
				failed = errors.Join(failed, fmt.Errorf("%s: %w", dir.Path, err))
			}
		}
	}
	clear(c.alive[len(kept):])
	c.alive = kept
	return failed
}

// end removes everything that was made. Busy ones are given their CPU back first: a process that was killed has to run to its
// end, which takes long at a fiftieth of a CPU.
func (c *churn) end() {
	for _, group := range c.standing {
		if err := group.Limit(cgroup.Limits{CpuShares: 1024}); err != nil {
			fmt.Fprintln(os.Stderr, "soak: a cgroup keeps its quota:", err)
		}
	}
	_, err := c.folder.Clear()
	for again := 0; err != nil && again < clearAgain; again++ {
		_, err = c.folder.Clear()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak: cgroups are left:", err)
	}
	if err := c.folder.Release(); err != nil {
		fmt.Fprintln(os.Stderr, "soak: cgroups are left:", err)
	}
}
