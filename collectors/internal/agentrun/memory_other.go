//go:build !linux

package agentrun

func unmapStartUp() {}
