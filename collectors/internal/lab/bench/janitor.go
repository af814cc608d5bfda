package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// farewell is what a lab writes to its janitor when it has cleaned up by itself.
const farewell = "done\n"

// lockFd is the file descriptor of the folder's lock in the janitor.
const lockFd = 3

// janitor is the small process that outlives a killed lab and removes what it leaves behind.
type janitor struct {
	command *exec.Cmd
	alive   io.WriteCloser
}

// startJanitor starts it with the folder's lock in its hands, so that no new lab can begin before
// the old one's cgroups are gone.
func startJanitor(folder *cgroup.Folder) (*janitor, error) {
	description, err := json.Marshal(folder)
	if err != nil {
		return nil, err
	}
	command := exec.Command(selfPath, CommandJanitor, string(description))
	command.ExtraFiles = []*os.File{folder.Lock()}
	command.Stderr = os.Stderr
	// A session of its own: what ends the lab's process group or terminal does not end the janitor.
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	alive, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("starting the janitor: %w", err)
	}
	return &janitor{command: command, alive: alive}, nil
}

// dismiss tells the janitor that there is nothing left to do and waits for it to go.
func (j *janitor) dismiss() error {
	_, err := io.WriteString(j.alive, farewell)
	j.alive.Close()
	if waitErr := j.command.Wait(); waitErr != nil {
		return fmt.Errorf("janitor: %w", waitErr)
	}
	return err
}

// Janitor is the life of the janitor process: it reads until the lab says farewell or dies. The
// kernel closes the pipe of a dead process however it died.
func Janitor(description string, pipe io.Reader) error {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	var folder cgroup.Folder
	if err := json.Unmarshal([]byte(description), &folder); err != nil {
		return fmt.Errorf("folder description: %w", err)
	}
	folder.Adopt(os.NewFile(lockFd, "lock"))
	last, err := io.ReadAll(pipe)
	if err != nil {
		return err
	}
	if string(last) == farewell {
		return nil
	}
	removed, err := folder.Clear()
	if err != nil {
		return err
	}
	if err := folder.Release(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "cfslab: the lab was killed; its janitor ended %d processes and removed %d cgroup folders\n",
		removed.Processes, removed.Groups)
	return nil
}

// Clean removes what dead labs left in a folder; it refuses while one lives.
func Clean(folderName string, log io.Writer) error {
	folder, err := cgroup.Acquire(folderName)
	if err != nil {
		return err
	}
	removed, err := folder.Clear()
	if err != nil {
		return err
	}
	if err := folder.Release(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(log, "cfslab: ended %d processes and removed %d cgroup folders of dead runs\n",
		removed.Processes, removed.Groups)
	return err
}
