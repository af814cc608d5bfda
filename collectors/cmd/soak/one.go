package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// Parts of one run. Churn fills most of it; before and after it the same standing cgroups are looked at.
const (
	sampleEvery = 5 * time.Second
	// settle is how long removed cgroups may still be known: one window, and the time to hand it over.
	settle = 25 * time.Second
	// awayEvery and awayFor say how often and how long Kafka is away, as parts of the churn.
	awayEvery = 3
	awayFor   = 3
)

const configuration = `[agent]
  interval = "10s"
  flush_interval = "1s"
  omit_hostname = true
[[inputs.cgroup_cpu]]
  host_id = "soak"
  cluster = "soak"
  builtin_rules = []
  backend = %q
  exclusive = false
  budget_cpu_percent = 60.0
  [[inputs.cgroup_cpu.path_rule]]
    pattern = "/quotascope/%s/{service}/{shard}"
    runtime = "lab"
[[outputs.kafka_avro]]
  brokers = [%q]
  spool_directory = %q
  jitter = "1s"
`

// soakOne runs one back end from a cold start to an orderly stop.
func soakOne(ctx context.Context, o options, backend string, length time.Duration) (c course, err error) {
	state, err := filepath.Abs(filepath.Join(o.out, "state-"+backend))
	if err != nil {
		return c, err
	}
	if err := os.RemoveAll(state); err != nil {
		return c, err
	}
	kafka, err := startKafka(ctx, o.native, state)
	if err != nil {
		return c, err
	}
	defer kafka.down()
	folder, err := cgroup.Acquire(fmt.Sprintf("soak%d-%s", os.Getpid(), backend))
	if err != nil {
		return c, err
	}
	churn := newChurn(folder)
	defer churn.end()
	if err := churn.stand(ctx, o.standing); err != nil {
		return c, err
	}
	conf := filepath.Join(state, "telegraf.conf")
	text := fmt.Sprintf(configuration, backend, filepath.Base(folder.Path), kafka.address, filepath.Join(state, "spool"))
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		return c, err
	}
	agent, pprof, err := startAgent(o.telegraf, conf, filepath.Join(o.out, "telegraf-"+backend+".log"))
	if err != nil {
		return c, err
	}
	defer func() { _ = agent.Process.Kill() }()
	if c, err = soakAgent(ctx, o, length, agent, pprof, churn, kafka); err != nil {
		return c, err
	}
	if err := agent.Process.Signal(syscall.SIGTERM); err != nil {
		return c, fmt.Errorf("the collector ended before it was asked to: %w", err)
	}
	if err := agent.Wait(); err != nil {
		return c, fmt.Errorf("the collector did not stop in order: %w", err)
	}
	c.delivered, err = kafka.read(ctx)
	return c, err
}

// soakAgent looks at the running agent: calm, churn with outages of Kafka, calm again.
func soakAgent(ctx context.Context, o options, length time.Duration, agent *exec.Cmd, pprof string, churn *churn, kafka *kafka) (c course, err error) {
	churning := max(length-2*settle, 30*time.Second)
	looking := &watch{pid: agent.Process.Pid, pprof: pprof}
	if c.before, err = looking.during(ctx, settle); err != nil {
		return c, err
	}
	during, stop := context.WithTimeout(ctx, churning)
	defer stop()
	churned, outages := make(chan error, 1), make(chan error, 1)
	go func() { churned <- churn.run(during, o.perSecond) }()
	go func() { outages <- kafka.comeAndGo(during, churning/awayEvery, churning/awayEvery/awayFor) }()
	if c.during, err = looking.during(ctx, churning); err != nil {
		return c, err
	}
	stop()
	if err := <-churned; err != nil {
		return c, fmt.Errorf("churn: %w", err)
	}
	if err := <-outages; err != nil {
		return c, fmt.Errorf("kafka: %w", err)
	}
	c.created, c.outages = churn.created, kafka.outages
	if _, err = looking.during(ctx, settle); err != nil {
		return c, err
	}
	c.after, err = looking.during(ctx, settle/2)
	return c, err
}

// startAgent starts the collector with the profiler on a free port.
func startAgent(program, conf, logFile string) (*exec.Cmd, string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, "", err
	}
	log, err := os.Create(logFile)
	if err != nil {
		return nil, "", err
	}
	defer log.Close()
	agent := exec.Command(program, "--config", conf, "--pprof-addr", address)
	agent.Stdout, agent.Stderr = log, log
	agent.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return agent, address, agent.Start()
}
