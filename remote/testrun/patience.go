package testrun

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const (
	// patience is how long a test waits for a condition. It is no measure of speed: who waits longer
	// waits for something that does not come.
	patience = 30 * time.Second
	// patienceOfAll is that of a run that has time for everything, and of .ci/run.
	patienceOfAll = 3 * time.Minute
	// busy is the number of runnable processes for each processor that the tests make themselves.
	busy = 4
)

// Patience returns how long a test waits for a condition: 30 seconds, and longer on a machine that
// has more to do than these tests.
func Patience() time.Duration {
	if All() || strict() {
		return patienceOfAll
	}
	return stretched(patience, load(), runtime.NumCPU())
}

// stretched returns a limit of a quiet machine for a machine with that load.
func stretched(limit time.Duration, load float64, processors int) time.Duration {
	return time.Duration(float64(limit) * max(1, load/float64(busy*processors)))
}

// load returns the load average of the last minute, 0 where it is unknown.
func load() float64 {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	n, _ := strconv.ParseFloat(first, 64)
	return n
}
