package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// ReadSince reads the flag --since, if it is given: a time, or how long ago it was.
func ReadSince(cmd *cobra.Command, at *time.Time) error {
	text := cmd.Flag("since").Value.String()
	if !cmd.Flag("since").Changed {
		return nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 {
		*at = time.Now().Add(-ago)
		return nil
	}
	for _, layout := range []string{time.RFC3339, time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			*at = t
			return nil
		}
	}
	return &UsageError{Err: fmt.Errorf("--since %q: give a time such as 2h, or 2027-03-01 18:00", text)}
}
