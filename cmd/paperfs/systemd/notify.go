package systemd

import (
	"net"
	"os"
	"strings"

	"paperfs/cmd/paperfs/terminal"
)

// Notify tells the service manager that started this process what it does, in
// the words of sd_notify(3). Without such a manager it does nothing; one that
// does not listen is no reason to end.
func Notify(state ...string) {
	name := os.Getenv("NOTIFY_SOCKET") // "@" at its begin stands for an abstract one, as in package net
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

// What Notify tells.
const (
	Ready    = "READY=1"
	Stopping = "STOPPING=1"
)

// Status is what the manager shows, in one line.
func Status(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return "STATUS=" + terminal.Printable(line)
}
