package histogram

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The vectors are those that the Java layout must meet too.
func TestRunnableBucketsMeetTheGoldenVectors(t *testing.T) {
	text, err := os.ReadFile("../../../schemas/golden/histogram_layouts.json")
	require.NoError(t, err)
	var golden struct {
		Vectors []struct {
			Name  string
			Input struct {
				Layout string
				N      int64
			}
			Expect struct{ Bucket int }
		}
	}
	require.NoError(t, json.Unmarshal(text, &golden))
	met := 0
	for _, vector := range golden.Vectors {
		if vector.Input.Layout == "runnable" {
			require.Equal(t, vector.Expect.Bucket, RunnableBucketOf(vector.Input.N), vector.Name)
			met++
		}
	}
	require.GreaterOrEqual(t, met, 8)
}

func TestRunnableIsPackedLikeAnyHistogram(t *testing.T) {
	var r Runnable
	require.Empty(t, r.AppendPacked(nil))
	r.Add(0, 3)
	r.Add(9, 200)
	r.Add(1<<40, 1)
	require.Equal(t, []byte{0, 3, 8, 200, 1, 7, 1}, r.AppendPacked(nil))
	r.Add(5, 0)
	require.Equal(t, []byte{0, 3, 8, 200, 1, 7, 1}, r.AppendPacked(nil), "no samples, no pair")
}
