package terminal

import (
	"os"
	"os/signal"
	"syscall"
)

// EndingSignals are those that end what the command does. A SIGHUP that is
// ignored, as under nohup, stays so.
func EndingSignals() []os.Signal {
	all := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
