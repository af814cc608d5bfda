package main

import (
	"debug/elf"
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// nobody is an unprivileged user, as in the container image.
var nobody = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}

func requireRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("changes the user: needs root")
	}
}

func TestASecondAgentIsRefusedAndNamesTheFirst(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	first := start(t, nil, "--config", p.config)
	first.waitFor("polling cgroup", 1)

	for _, args := range [][]string{{"--config", p.config}, {"--config", p.config, "--once"}} {
		second := start(t, nil, args...)
		require.Equal(t, 1, second.end(), second.said())
		require.Contains(t, second.said(), "another collector already measures this host: ")
		require.Contains(t, second.said(), fmt.Sprintf("process %d", first.process.Process.Pid))
		require.Contains(t, second.said(), "exclusive = false")
	}
	test := start(t, nil, "--config", p.config, "--test", "--test-wait", "1")
	require.Zero(t, test.end(), test.said())
	require.Contains(t, test.said(), "> cpu_usage_window,")

	first.signal(syscall.SIGKILL)
	first.end()
	third := start(t, nil, "--config", p.config, "--once", "--test-wait", "1")
	require.Zero(t, third.end(), "nothing a killed agent leaves behind is in the way: %s", third.said())
	require.NotEmpty(t, p.read("cpu_usage_window"))
}

func TestTwoAgentsThatAreWantedRunTogether(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.configure("exclusive = false")
	a := start(t, nil, "--config", p.config)
	a.waitFor("polling cgroup", 1)
	b := start(t, nil, "--config", p.config, "--once", "--test-wait", "1")
	require.Zero(t, b.end(), b.said())
}

func TestAnUnreadableConfigurationNamesTheUserAndTheRemedy(t *testing.T) {
	requireRoot(t)
	t.Parallel()
	p := newPlace(t)
	require.NoError(t, os.Chmod(p.config, 0o600))
	p.letAllIn()
	a := start(t, nobody, "--config", p.config)
	require.Equal(t, 1, a.end())
	require.Contains(t, a.said(), p.config+": permission denied for uid 65532")
	require.Contains(t, a.said(), "chgrp 65532")
}

func TestAPortInUseIsNamedWithTheRemedy(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	p := newPlace(t)
	text, err := os.ReadFile(p.config)
	require.NoError(t, err)
	p.write("telegraf.conf", string(text)+fmt.Sprintf("[[outputs.prometheus_client]]\n  listen = %q\n", taken.Addr()))
	a := start(t, nil, "--config", p.config)
	require.Equal(t, 1, a.end(), a.said())
	require.Contains(t, a.said(), taken.Addr().String())
	require.Contains(t, a.said(), "stop it or configure another port")
}

// TestTheBinaryIsStatic: no interpreter, no shared library, so that it runs in any image.
func TestTheBinaryIsStatic(t *testing.T) {
	file, err := elf.Open(builtBinary(t))
	require.NoError(t, err)
	defer file.Close()
	libraries, err := file.ImportedLibraries()
	require.NoError(t, err)
	require.Empty(t, libraries)
	for _, segment := range file.Progs {
		require.NotEqual(t, elf.PT_INTERP, segment.Type)
	}
	status, err := os.Stat(builtBinary(t))
	require.NoError(t, err)
	require.Less(t, status.Size(), int64(32<<20), "README.md states the size; a plugin may have brought a large library")
}
