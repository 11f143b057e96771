package main

import (
	"fmt"
	"io"
	"log/slog"
	"slices"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
)

// say writes a message of serve that other programs may wait for, at any level of the log.
func say(c *config.Serve, message string) {
	if c.LogFormat == "json" {
		jsonLines(cli.Messages).Info(message)
		return
	}
	fmt.Fprintln(cli.Messages, "paperfs:", message)
}

// asksForJSON reports whether a command line is serve's, with a log in JSON. The flags may be
// those that are wrong, so nobody has parsed them.
func asksForJSON(command string, args []string) bool {
	at := slices.Index(args, "--log-format")
	return command == "serve" && (slices.Contains(args, "--log-format=json") || at >= 0 && at+1 < len(args) && args[at+1] == "json")
}

func jsonLines(to io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(to, nil)) }
