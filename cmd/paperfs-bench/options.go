package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// options are the flags of every command.
type options struct {
	dir     string
	paperfs string
	rclone  string
	peers   []string
	runs    int
	limit   time.Duration
}

func (o *options) bind(cmd *cobra.Command) {
	o.bindCommon(cmd)
	f := cmd.Flags()
	f.StringVar(&o.rclone, "rclone", "rclone", "the rclone program")
	f.StringSliceVar(&o.peers, "peers", nil, "only these, separated by commas; ratios need paperfs among them (default: all that are installed)")
	f.IntVar(&o.runs, "runs", 3, "how often all of the work is done")
}

// bindCommon binds the flags that commands other than compare share.
func (o *options) bindCommon(cmd *cobra.Command) {
	f := cmd.Flags()
	o.runs = 1 // for commands without the flag
	f.StringVar(&o.dir, "dir", "", "where to make the directory of the work (default: the system's for temporary files)")
	f.StringVar(&o.paperfs, "paperfs", "", "the paperfs program (default: the one beside this program, else on the PATH)")
	f.DurationVar(&o.limit, "limit", cmp.Or(o.limit, 2*time.Minute), "how long a server may take for one piece of work")
}

// prepare checks the options and runs f.
func (o *options) prepare(f func() error) (err error) {
	if o.runs < 1 {
		return fmt.Errorf("--runs %d: at least one", o.runs)
	}
	if o.paperfs, err = findPaperfs(o.paperfs); err != nil {
		return fmt.Errorf("--paperfs: %w", err)
	}
	return f()
}
