package naming

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtime "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// runtimeServer is a container runtime as far as it is asked here, behind the genuine gRPC server.
type runtimeServer struct {
	runtime.UnimplementedRuntimeServiceServer
	calls   int
	refused bool
}

func (s *runtimeServer) ListPodSandbox(context.Context, *runtime.ListPodSandboxRequest) (*runtime.ListPodSandboxResponse, error) {
	s.calls++
	if s.refused {
		return nil, status.Error(codes.PermissionDenied, "not you")
	}
	return &runtime.ListPodSandboxResponse{Items: []*runtime.PodSandbox{{
		Id: pause, State: runtime.PodSandboxState_SANDBOX_READY, CreatedAt: 7,
		Metadata:    &runtime.PodSandboxMetadata{Name: "cart-5d78c9869d-8xbzr", Uid: uid, Namespace: "shop", Attempt: 3},
		Labels:      map[string]string{"app.kubernetes.io/part-of": "shop", "team": "pod"},
		Annotations: map[string]string{"note": "kept"},
	}}}, nil
}

func (s *runtimeServer) ListContainers(context.Context, *runtime.ListContainersRequest) (*runtime.ListContainersResponse, error) {
	return &runtime.ListContainersResponse{Containers: []*runtime.Container{{
		Id: cid, PodSandboxId: pause, Metadata: &runtime.ContainerMetadata{Name: "app", Attempt: 1},
		Image: &runtime.ImageSpec{Image: "cart:7"}, State: runtime.ContainerState_CONTAINER_RUNNING, CreatedAt: 8,
		Labels: map[string]string{"team": "container"},
	}}}, nil
}

func serve(t *testing.T, s *runtimeServer) (socket string) {
	socket = filepath.Join(t.TempDir(), "cri.sock")
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	server := grpc.NewServer()
	runtime.RegisterRuntimeServiceServer(server, s)
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		require.NoError(t, <-done)
	})
	return socket
}

func TestTheRuntimeNamesPodsAndTheirLabels(t *testing.T) {
	s := &runtimeServer{}
	n := newHost(t).names(Options{
		CRISocket: serve(t, s), Sources: []string{},
		Labels: []string{"team", "app.kubernetes.io/part-of", "note"}, MaxLabelValues: 10,
	})
	shard, sandbox := podShard(cid), podShard(pause)
	require.Equal(t, Named, n.Name(&shard, podPath+cid, false))
	require.Equal(t, []string{"shop/cart/app", "cart-5d78c9869d-8xbzr"}, []string{shard.Service, shard.Name})
	require.Equal(t, map[string]string{"team": "container", "app.kubernetes.io/part-of": "shop", "note": "kept"}, shard.Labels)
	require.Equal(t, Sandbox, n.Name(&sandbox, podPath+pause, false))
	require.Equal(t, 1, s.calls, "one question answers for all")
}

func TestARuntimeThatRefusesIsLeftAlone(t *testing.T) {
	s := &runtimeServer{refused: true}
	asked := newCRI(serve(t, s))
	shard := podShard(cid)
	_, err := asked.describe(&shard, "", false)
	require.ErrorIs(t, err, errCRI)
	require.ErrorContains(t, err, "not you")
	_, err = asked.describe(&shard, "", false)
	require.ErrorIs(t, err, errNotYet)
	require.Equal(t, 1, s.calls)
	s.refused, asked.asked, asked.failing = false, time.Time{}, time.Time{}
	known, err := asked.describe(&shard, "", false)
	require.NoError(t, err)
	require.Equal(t, "app", known.Container)
}

func TestNoRuntimeAtTheSocket(t *testing.T) {
	asked := newCRI(filepath.Join(t.TempDir(), "nobody.sock"))
	shard := podShard(cid)
	_, err := asked.describe(&shard, "", false)
	require.ErrorIs(t, err, errCRI)
	plain := plainShard("docker")
	_, err = asked.describe(&plain, "", false)
	require.Error(t, err)
}
