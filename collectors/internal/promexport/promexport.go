// Package promexport shows Telegraf's self metrics of this process to Prometheus. Whatever a plugin registers with
// selfstat appears; metrics that are declared here get their own name, type and help, the others come as they are.
package promexport

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metric declares how one self metric is shown.
type Metric struct {
	// Measurement and Field are those of selfstat, without its prefix internal_.
	Measurement, Field string
	Name, Help         string
	// Counter is true for what only rises.
	Counter bool
	// Scale is multiplied to the integer of selfstat: 1e-6 makes seconds of microseconds. 0 stands for 1.
	Scale float64
}

// Options of an endpoint.
type Options struct {
	// Address is host:port; without a host it is loopback.
	Address string
	// Gather returns the self metrics: selfstat.Metrics.
	Gather func() []telegraf.Metric
	// Refresh is called before each gathering.
	Refresh  func()
	Declared []Metric
}

// Endpoint is a running HTTP server with the single path /metrics.
type Endpoint struct {
	// Address is where it listens.
	Address string
	server  *http.Server
	ended   chan struct{}
}

// CheckAddress says what is wrong with an address.
func CheckAddress(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return fmt.Errorf("%q is not host:port or :port", address)
	}
	return nil
}

// Start begins to serve. An address in use is an error that names the remedy.
func Start(options Options) (*Endpoint, error) {
	address := options.Address
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	registry := prometheus.NewRegistry()
	for _, collector := range []prometheus.Collector{
		&selfMetrics{options}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	} {
		if err := registry.Register(collector); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use by another program: choose a free port, or end that program and reload (SIGHUP): %w", address, err)
	}
	if err != nil {
		return nil, err
	}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	e := &Endpoint{
		Address: listener.Addr().String(),
		server: &http.Server{
			Handler: routes, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
			WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		},
		ended: make(chan struct{}),
	}
	go func() {
		defer close(e.ended)
		e.server.Serve(listener) //nolint:errcheck // It ends by Close only: the listener is ours.
	}()
	return e, nil
}

// Close ends the server and frees its port.
func (e *Endpoint) Close() error {
	err := e.server.Close()
	<-e.ended
	return err
}
