package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	licenses := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `paperfs version
paperfs version --licenses`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if licenses {
				return printLicenses(cmd.OutOrStdout())
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "paperfs %s%s %s\n", release, source(), runtime.Version())
			return err
		},
	}
	cmd.Flags().BoolVar(&licenses, "licenses", false, "print the licences of the software that paperfs contains")
	return cmd
}

// release is the version of this source. The build of a package sets it.
var release = "1.0.0"

// source returns the commit that the program was built from, and its date, as the Go tool recorded
// them; "" where it did not.
func source() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	commit, date := vcs["vcs.revision"], vcs["vcs.time"]
	if len(commit) < 12 || len(date) < len(time.DateOnly) {
		return ""
	}
	changed := ""
	if vcs["vcs.modified"] == "true" {
		changed = ", changed since"
	}
	return fmt.Sprintf(" (commit %s of %s%s)", commit[:12], date[:len(time.DateOnly)], changed)
}
