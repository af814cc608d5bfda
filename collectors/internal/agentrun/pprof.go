package agentrun

import (
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// servePprof lets Go's profiler look into the process for as long as it runs: --pprof-addr, off by default.
func servePprof(address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("--pprof-addr: %w", explain(err))
	}
	pages := http.NewServeMux()
	pages.HandleFunc("/debug/pprof/", pprof.Index)
	pages.HandleFunc("/debug/pprof/profile", pprof.Profile)
	pages.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with the process
	return nil
}
