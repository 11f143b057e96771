package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
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
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "paperfs %s%s %s\n", version(), source(), runtime.Version())
			return err
		},
	}
	cmd.Flags().BoolVar(&licenses, "licenses", false, "print the licences of the software that paperfs contains")
	return cmd
}

// release is the version of a package, set by its build.
var release string

// version returns the version of the package, or else the tag of the commit as the Go tool recorded it.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") && !strings.HasPrefix(info.Main.Version, "v0.0.0-") {
		return info.Main.Version
	}
	return "devel"
}

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
