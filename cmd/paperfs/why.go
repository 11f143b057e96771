package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"paperfs/cache/failure"

	"github.com/spf13/cobra"
)

func newWhyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "why PATH",
		Short: "Print the last failure at a path, in words",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, inside, err := findMounted(args[0])
			if err != nil {
				return err
			}
			text, err := os.ReadFile(m.control("errors"))
			if err != nil {
				return err
			}
			e, ok, err := lastFailure(text, inside)
			if err != nil {
				return err
			}
			if !ok {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "no failure of %s is known\n", args[0])
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), explain(e))
			return err
		},
	}
}

// lastFailure finds the newest line for a path in the list of failures.
func lastFailure(list []byte, path string) (last failure.Event, found bool, err error) {
	for line := range bytes.Lines(list) {
		e, err := failure.Parse(strings.TrimSuffix(string(line), "\n"))
		if err != nil {
			return failure.Event{}, false, err
		}
		if strings.Trim(e.Path, "/") == path {
			last, found = e, true
		}
	}
	return last, found, nil
}

// explain is a failure as a sentence.
func explain(e failure.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s /%s failed with %s", e.Time.Local().Format(time.DateTime), e.Op, strings.Trim(e.Path, "/"), e.Errno)
	if e.Code != "" {
		fmt.Fprintf(&b, " (the service answered %s)", e.Code)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	return b.String()
}
