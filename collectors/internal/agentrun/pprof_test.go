package agentrun

import (
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProfilerIsServedWhereAskedAndATakenPortIsNamed(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.ErrorContains(t, servePprof(address), "--pprof-addr")
	require.NoError(t, listener.Close())
	require.NoError(t, servePprof(address))
	response, err := http.Get("http://" + address + "/debug/pprof/goroutine?debug=1")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), "goroutine profile: total ")
}
