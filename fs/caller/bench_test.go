package caller

import (
	"os"
	"testing"
)

// BenchmarkWaitReading waits for what another goroutine does at once.
func BenchmarkWaitReading(b *testing.B) {
	for b.Loop() {
		done := make(chan struct{})
		go close(done)
		WaitReading(b.Context(), uint32(os.Getpid()), done)
	}
}
