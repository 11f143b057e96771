package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// bindCommon binds the flags that service shares with compare.
func (o *options) bindCommon(cmd *cobra.Command) {
	f := cmd.Flags()
	o.runs = 1 // for the command without the flag
	f.StringVar(&o.dir, "dir", "", "where to make the directory of the work (default: the system's for temporary files)")
	f.StringVar(&o.paperfs, "paperfs", "", "the paperfs program (default: the one beside this program, else on the PATH)")
	f.DurationVar(&o.limit, "limit", cmp.Or(o.limit, 2*time.Minute), "how long a server may take for one piece of work")
}

// within checks the options, and runs do in a rig of its own.
func (o *options) within(cmd *cobra.Command, do func(*rig)) (err error) {
	if o.runs < 1 {
		return fmt.Errorf("--runs %d: at least one", o.runs)
	}
	if o.paperfs, err = findPaperfs(o.paperfs); err != nil {
		return fmt.Errorf("--paperfs: %w", err)
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

// findPaperfs returns the given program, or else the one beside this program, or else the one
// on the PATH, or "".
func findPaperfs(given string) (string, error) {
	if given != "" {
		path, err := filepath.Abs(given)
		if err == nil {
			_, err = os.Stat(path)
		}
		return path, err
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "paperfs")
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	path, _ := exec.LookPath("paperfs")
	return path, nil
}
