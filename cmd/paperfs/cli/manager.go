package cli

import (
	"net"
	"os"
	"strings"
)

// NotifyManager sends states of sd_notify(3) to the service manager that started this process. It
// does nothing without a service manager, and ignores one that does not listen.
func NotifyManager(state ...string) {
	name := os.Getenv("NOTIFY_SOCKET") // a leading "@" means an abstract socket, as in package net
	if name == "" {
		return
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = c.Write([]byte(strings.Join(state, "\n")))
}

// States for NotifyManager.
const (
	ManagerReady    = "READY=1"
	ManagerStopping = "STOPPING=1"
)

// ManagerStatus is a state that the manager shows, in one line.
func ManagerStatus(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return "STATUS=" + Printable(line)
}
