// Command fidelity judges samplers by a truth that does not touch the kernel's accounting.
package main

import (
	"errors"
	"fmt"
	"os"
)

const usage = `fidelity compares what samplers say about 10 ms slices with threads that stamp themselves.

  fidelity run [--quick] [--pattern NAME] [--agent PROGRAM] [--out FOLDER]
                 every pattern on an idle and a busy host, every method side by side; a table, JSON and markdown
  fidelity stamp [--pattern bursts] [--duration 10s] [--quota-us 0] [--out slices.csv] [--intervals FILE] [--grid utc]
                 runs one pattern in a cgroup and writes the truth: CPU time per 10 ms slice`

func main() {
	if err := dispatch(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

func dispatch(args []string) error {
	if len(args) == 0 {
		return errors.New("no command; see fidelity help")
	}
	switch args[0] {
	case "run":
		return runCommand(args[1:])
	case "watch": // started by run: one method in a process of its own
		return watchCommand(args[1:])
	case "stamp":
		return stampCommand(args[1:])
	case "help", "-h", "--help":
		_, err := fmt.Println(usage)
		return err
	}
	return fmt.Errorf("no command %q; see fidelity help", args[0])
}
