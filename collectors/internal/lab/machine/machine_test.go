package machine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStealIsTheEighthNumberAndGuestTimeIsNotCountedTwice(t *testing.T) {
	steal, all := cpuTimes("cpu  57705 1180 9595 91003 1417 0 292 75 40 3")
	require.Equal(t, int64(75), steal)
	require.Equal(t, int64(57705+1180+9595+91003+1417+292+75), all)
}

func TestPossibleCpus(t *testing.T) {
	require.Equal(t, 88, possible("0-87"))
	require.Equal(t, Cpus(), possible("0"), "a list without a range is not understood; the CPUs at hand are")
}

func TestAMachineSaysWhatItIs(t *testing.T) {
	m := Describe()
	m.End()
	require.NotEmpty(t, m.Kernel)
	require.NotEmpty(t, m.LoadBefore)
	require.Contains(t, m.String(), m.Kernel)
}
