package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// Table prints rows of columns.
func Table(cmd *cobra.Command, rows func(line func(columns ...any))) error {
	return WriteTable(cmd.OutOrStdout(), rows)
}

// WriteTable is Table for another output.
func WriteTable(out io.Writer, rows func(line func(columns ...any))) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	rows(func(columns ...any) {
		for i, column := range columns {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, Printable(fmt.Sprint(column)))
		}
		fmt.Fprintln(w)
	})
	return w.Flush()
}

// ShowJSON prints a value as JSON.
func ShowJSON(cmd *cobra.Command, v any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	return WriteJSON(cmd.OutOrStdout(), text.Bytes())
}
