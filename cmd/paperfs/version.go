package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

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
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "paperfs %s %s\n", version(), runtime.Version())
			return err
		},
	}
	cmd.Flags().BoolVar(&licenses, "licenses", false, "print the licences of the software that paperfs contains")
	return cmd
}

// release is the version of a package, set by its build.
var release string

// version returns the version of the package, or else the module's as the Go tool recorded
// it, or else the VCS revision.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "devel"
}
