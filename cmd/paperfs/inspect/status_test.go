package inspect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
)

func TestRequestsInWords(t *testing.T) {
	sent := map[string]uint64{"GetAllPapers": 2, "GetLinks": 5}
	for words, r := range map[string]control.Requests{
		"7, 1 failed": {ByOperation: sent, Failed: 1},
		"7, 0 failed; 12 more calls failed without a request; 45 of 45 allowed in the last minute, next request in 1.2 s": {
			ByOperation: sent, HeldBack: 12, Used: 45, Limit: 45, FullLimit: 45, NextIn: 1.2},
		"7, 1 failed; 1 more call failed without a request": {ByOperation: sent, Failed: 1, HeldBack: 1},
		"7, 1 failed; 20 of 30 allowed in the last minute (45 before the service refused that many), 6 waiting, next request in 20.0 s": {
			ByOperation: sent, Failed: 1, Used: 20, Limit: 30, FullLimit: 45, Waiting: 1, WaitingBackground: 2, Repeating: 3, NextIn: 20},
	} {
		require.Equal(t, words, requestsLine(r))
	}
}
