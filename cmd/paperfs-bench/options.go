package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

// options are the flags of every command that measures.
type options struct {
	dir     string
	paperfs string
	peers   []string
	runs    int
	limit   time.Duration
}

func (o *options) bind(cmd *cobra.Command) {
	o.bindCommon(cmd, 2*time.Minute)
	f := cmd.Flags()
	f.StringSliceVar(&o.peers, "peers", nil, "only these, separated by commas; ratios need paperfs among them (default: all that are installed)")
	f.IntVar(&o.runs, "runs", 3, "how often all of the work is done")
}

// bindCommon binds the flags that service shares with compare.
func (o *options) bindCommon(cmd *cobra.Command, limit time.Duration) {
	f := cmd.Flags()
	o.runs = 1 // for the command without the flag
	f.StringVar(&o.dir, "dir", "", "where to make the directory of the work (default: the system's for temporary files)")
	f.StringVar(&o.paperfs, "paperfs", "", "the paperfs program (default: the one beside this program, else on the PATH)")
	f.DurationVar(&o.limit, "limit", limit, "how long a server may take for one piece of work")
}

// within checks the options, and runs do in a rig of its own.
func (o *options) within(cmd *cobra.Command, do func(*rig)) error {
	if o.runs < 1 {
		return fmt.Errorf("--runs %d: at least one", o.runs)
	}
	given := o.paperfs
	if given != "" {
		o.paperfs, _ = filepath.Abs(given) // the work runs in a directory of its own
	}
	if self, err := os.Executable(); given == "" && err == nil {
		o.paperfs = filepath.Join(filepath.Dir(self), "paperfs")
	}
	if _, err := os.Stat(o.paperfs); err != nil {
		if given != "" {
			return fmt.Errorf("--paperfs: %w", err)
		}
		if o.paperfs, err = exec.LookPath("paperfs"); err != nil {
			return errors.New("there is no paperfs beside this program or on the PATH (see --paperfs)")
		}
	}
	dir, err := os.MkdirTemp(o.dir, "paperfs-bench-")
	if err != nil {
		return err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	r := &rig{ctx: cmd.Context(), log: cmd.ErrOrStderr(), dir: dir, options: o}
	return r.use(do)
}
