package naming

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/identity"
)

// cri asks the container runtime's interface (runtime.v1.RuntimeService on a unix socket) for all
// containers and pods at once, and again when one is asked for that it did not know. It is the only
// source that knows the labels of pods.
//
// The two calls are made over net/http, which speaks HTTP/2; a gRPC library and the generated messages
// would add several megabytes to every host for them.
type cri struct {
	client *http.Client
	asked  time.Time
	// failing is when the runtime last gave no answer.
	failing    time.Time
	containers map[string]described
}

const (
	criService = "http://cri/runtime.v1.RuntimeService/"
	// criTimeout bounds how long discovery waits for the runtime.
	criTimeout = time.Second
	// criPause is how long a runtime that did not answer is left alone.
	criPause = 10 * time.Second
	// longestAnswer is what gRPC servers send at most by default in the runtimes.
	longestAnswer = 16 << 20
)

var errCRI = errors.New("container runtime interface")

func newCRI(socket string) *cri {
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	return &cri{client: &http.Client{
		Timeout:   criTimeout,
		Transport: &http.Transport{DialContext: dial, Protocols: &protocols, MaxIdleConns: 1, IdleConnTimeout: time.Minute},
	}}
}

func (c *cri) describe(shard *identity.Shard, _ string, _ bool) (described, error) {
	if said, known := c.containers[shard.ContainerID]; known {
		return said, nil
	}
	if shard.PodUID == "" {
		return described{}, fs.ErrNotExist
	}
	if time.Since(c.asked) < listAgainAfter || time.Since(c.failing) < criPause {
		return described{}, errNotYet
	}
	c.asked = time.Now()
	if err := c.list(); err != nil {
		c.failing = time.Now()
		return described{}, fmt.Errorf("%w: %w: %w", errCRI, errNotYet, err)
	}
	if said, known := c.containers[shard.ContainerID]; known {
		return said, nil
	}
	return described{}, errNotYet
}

// list asks for everything. What is gone is forgotten.
func (c *cri) list() error {
	answer, err := c.call("ListPodSandbox")
	if err != nil {
		return err
	}
	pods, err := decodeSandboxes(answer)
	if err != nil {
		return err
	}
	if answer, err = c.call("ListContainers"); err != nil {
		return err
	}
	containers, err := decodeContainers(answer)
	if err != nil {
		return err
	}
	known := make(map[string]described, len(pods)+len(containers))
	for id := range pods {
		known[id] = described{sandbox: true}
	}
	for id, container := range containers {
		pod := pods[container.sandbox]
		said := described{Names: identity.Names{
			Namespace: pod.namespace, Pod: pod.name, Container: container.name, Labels: map[string]string{},
		}}
		for _, from := range []map[string]string{pod.annotations, pod.labels, container.labels} {
			for key, value := range from {
				said.Labels[key] = value
			}
		}
		known[id] = said
	}
	c.containers = known
	return nil
}

// call makes a unary gRPC call with an empty request: a message is a byte that tells compression, four
// bytes of length, and the bytes; the status comes in the trailer.
func (c *cri) call(method string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), criTimeout)
	defer cancel()
	empty := bytes.NewReader(make([]byte, grpcPrefix))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, criService+method, empty)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("Te", "trailers")
	response, err := c.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	frame, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer+grpcPrefix))
	if err != nil {
		return nil, err
	}
	outcome := response.Trailer
	if outcome.Get("Grpc-Status") == "" {
		outcome = response.Header // an answer without a message has no trailer
	}
	if status := outcome.Get("Grpc-Status"); response.StatusCode != http.StatusOK || status != "0" {
		return nil, fmt.Errorf("%s: HTTP %s, gRPC status %q %s", method, response.Status, status, outcome.Get("Grpc-Message"))
	}
	if len(frame) < grpcPrefix || frame[0] != 0 || int(binary.BigEndian.Uint32(frame[1:])) != len(frame)-grpcPrefix {
		return nil, fmt.Errorf("%s: %d bytes are no uncompressed message", method, len(frame))
	}
	return frame[grpcPrefix:], nil
}

// grpcPrefix is the length of what stands before a message.
const grpcPrefix = 5
