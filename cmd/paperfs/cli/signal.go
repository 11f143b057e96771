package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// EndingSignals returns the signals that end a command. It leaves out SIGHUP if that is
// ignored, as under nohup.
func EndingSignals() []os.Signal {
	all := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
