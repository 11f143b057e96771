package main

import (
	"net"
	"os"
	"strings"

	"paperfs/cmd/paperfs/terminal"
)

// notify tells the service manager that started this process what it does, in
// the words of sd_notify(3). Without such a manager it does nothing; one that
// does not listen is no reason to end.
func notify(state ...string) {
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

// What notify tells.
const (
	ready    = "READY=1"
	stopping = "STOPPING=1"
)

// statusOf is what the manager shows, in one line.
func statusOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return "STATUS=" + terminal.Printable(line)
}
