package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endingSignals are those that end what the command does. A SIGHUP that is
// ignored, as under nohup, stays so.
func endingSignals() []os.Signal {
	all := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
