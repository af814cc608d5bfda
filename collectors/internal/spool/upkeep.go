package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// upkeep looks after what no record triggers: ages, fsync, a folder that went away or came back.
func (d *Disk) upkeep() {
	defer close(d.done)
	ticker := time.NewTicker(d.options.Upkeep)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			d.lookAfter()
		case <-d.closing:
			return
		}
	}
}

func (d *Disk) lookAfter() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.folder != nil && !d.folder.present() {
		d.abandon()
	}
	if d.fault != nil {
		d.resume()
	}
	if d.folder == nil {
		return
	}
	d.folder.expire()
	if files := d.folder.unsynced(d.options.SyncAfter); files != nil {
		d.syncUnlocked(files)
	}
}

// abandon counts what was in a folder that is no longer there. The held records live on in memory.
func (d *Disk) abandon() {
	if lost := d.folder.next - d.folder.read; lost > 0 {
		d.options.Events.Dropped(ReasonCorrupt, int(lost))
	}
	d.folder.close()
	d.folder = nil
	d.fail(errors.New("it was removed or replaced while in use"))
}

// syncUnlocked fsyncs without the lock, so that a slow disk delays neither appending nor sending.
func (d *Disk) syncUnlocked(files []*os.File) {
	f, to := d.folder, d.folder.next
	d.mu.Unlock()
	err := syncAll(files, f.Directory)
	d.mu.Lock()
	d.noteSync(f, to, err)
}

// sync fsyncs under the lock.
func (d *Disk) sync(f *folder) {
	d.noteSync(f, f.next, syncAll(f.unsynced(0), f.Directory))
}

func (d *Disk) noteSync(f *folder, to uint64, err error) {
	if err != nil {
		d.options.Events.Trouble(TroubleSync, fmt.Sprintf("fsync of the spool: %v", err))
	}
	// Also after an error: the kernel forgets what it could not write, so a repetition would only seem to succeed.
	f.haveSynced(to)
}

// syncAll makes files and the names of new ones outlive a loss of power. A file that was removed meanwhile is fine.
func syncAll(files []*os.File, directory string) error {
	if len(files) == 0 {
		return nil
	}
	var failures []error
	for _, file := range files {
		if err := file.Sync(); err != nil && !errors.Is(err, fs.ErrClosed) {
			failures = append(failures, err)
		}
	}
	names, err := os.Open(directory)
	if err != nil {
		return errors.Join(append(failures, err)...)
	}
	failures = append(failures, names.Sync(), names.Close())
	return errors.Join(failures...)
}
