package main

import (
	"encoding/json"
	"os"
	"time"

	"paperfs/fs/control"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
)

// showLocal lists what stays on this machine, and since when.
func (m mounted) showLocal(cmd *cobra.Command, asJSON bool) error {
	text, err := os.ReadFile(m.control("local"))
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(cmd.OutOrStdout(), text)
	}
	var names []control.Local
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	return table(cmd, func(line func(...any)) {
		for _, n := range names {
			size := humanize.IBytes(uint64(n.Size))
			if n.Path[len(n.Path)-1] == '/' {
				size = english.Plural(n.Files, "file", "") + ", " + size
			}
			line(n.Place, size, "since "+n.Since.Local().Format(time.DateTime))
		}
	})
}
