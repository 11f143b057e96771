package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

// uploadOptions are the sizes of the work.
type uploadOptions struct {
	options
	large     int64
	small     int
	smallSize int64
}

func newUploadsCommand() *cobra.Command {
	o := uploadOptions{large: 64 << 20, small: 200, smallSize: 10 << 10}
	cmd := &cobra.Command{
		Use:   "uploads",
		Short: "Bring files to a server by cp and rsync",
		Long:  "The clock stops when the server holds all files, not when the program ends.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.within(cmd, func(r *rig) {
				compare(r, cmd.OutOrStdout(), func(*rig) setup { return setup{} }, uploadWork(r.makeDir("source"), o))
			})
		},
	}
	o.bind(cmd)
	f := cmd.Flags()
	f.Int64Var(&o.large, "large", o.large, "bytes of the large file")
	f.IntVar(&o.small, "small", o.small, "how many small files")
	f.Int64Var(&o.smallSize, "small-size", o.smallSize, "bytes of a small file")
	return cmd
}

// uploadWork makes the files, and returns the work with them. No two files have the same content,
// because some peers detect known content.
func uploadWork(source string, o uploadOptions) []work {
	large, copied, synced := filepath.Join(source, "large"), filepath.Join(source, "copied"), filepath.Join(source, "synced")
	one := files{"": makeFile(large, o.large, 0)}
	copies := makeFiles(copied, o.small, o.smallSize, 1)
	syncs := makeFiles(synced, o.small, o.smallSize, uint64(1+o.small))
	count := fmt.Sprintf("%d × %s", o.small, humanize.IBytes(uint64(o.smallSize)))
	return []work{
		{"cp " + humanize.IBytes(uint64(o.large)), upload("large", one, "cp", large)},
		{"cp -r " + count, upload("cp", copies, "cp", "-r", copied)},
		{"rsync -a " + count, upload("rsync", syncs, "rsync", "-a", synced+"/")},
		{"rsync -a again", upload("rsync", syncs, "rsync", "-a", synced+"/")},
	}
}

// upload copies files to a name at the server, by a command without its target.
func upload(name string, want files, words ...string) func(*place) took {
	return func(at *place) (t took) {
		cmd := at.command(append(words, filepath.Join(at.dir, name))...)
		at.settle()
		begin := time.Now()
		ran, _ := at.timed(cmd)
		t.time = ran.time
		for asked := time.Now(); at.held(name, false).differs(want, false) != nil; asked = time.Now() {
			if time.Since(begin) > at.limit {
				must(fmt.Errorf("the server does not hold everything in the time it had (--limit)"))
			}
			must(at.ctx.Err())
			time.Sleep(max(5*time.Millisecond, 4*time.Since(asked))) // asking costs the server time, too
			t.time = time.Since(begin)
		}
		// A file may have its size before it has its last bytes.
		at.until("content", nil, func() bool { return at.held(name, true).differs(want, true) == nil })
		return t
	}
}
