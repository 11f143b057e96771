package inspect

import (
	"encoding/json"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
)

// local returns the names that stay on this machine, and their JSON.
func (m mounted) local() (names []control.Local, text []byte, err error) {
	text, err = m.read("local")
	if err == nil {
		err = json.Unmarshal(text, &names)
	}
	return names, text, err
}

// showLocal prints the names that stay on this machine, and since when.
func (m mounted) showLocal(cmd *cobra.Command, asJSON bool) error {
	names, text, err := m.local()
	if err != nil {
		return err
	}
	if asJSON {
		return cli.WriteJSON(cmd.OutOrStdout(), text)
	}
	return cli.Table(cmd, func(line func(...any)) {
		for _, n := range names {
			size := humanize.IBytes(uint64(n.Size))
			if n.Path[len(n.Path)-1] == '/' {
				size = english.Plural(n.Files, "file", "") + ", " + size
			}
			line(n.Place, size, "since "+n.Since.Local().Format(time.DateTime))
		}
	})
}
