package main

import (
	"encoding/json"
	"fmt"

	"paperfs/fs/describe"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

func newStatCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stat PATH",
		Short: "Show what a path of a mount is: id, address, kind, state, SHA-256, last error",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := stat(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), text)
			}
			return printDescription(cmd, text)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

func stat(path string) ([]byte, error) {
	m, inside, err := findMounted(path)
	if err != nil {
		return nil, err
	}
	// The mount knows what the kernel knows, so the path is looked up first
	// and held while it is asked for.
	fd, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer unix.Close(fd)
	return m.ask("stat", inside)
}

func printDescription(cmd *cobra.Command, text []byte) error {
	var d describe.Description
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	if d.Publication != "" {
		d.Publication += " (a paper is public within its period; one without a period, or whose publication was emptied, is public at once)"
	}
	return table(cmd, func(line func(...any)) {
		line("path:", "/"+d.Path)
		line("kind:", d.Kind)
		line("state:", d.State)
		if d.ID != 0 {
			line("id:", d.ID)
		}
		for _, row := range [][2]string{{"url:", d.URL}, {"address:", d.Address}, {"publication:", d.Publication}, {"sha256:", d.SHA256}, {"last error:", d.LastError}} {
			if row[1] != "" {
				line(row[0], row[1])
			}
		}
	})
}
