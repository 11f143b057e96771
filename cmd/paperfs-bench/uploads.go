package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

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
		Long: `Bring files to a server by cp and rsync.

The clock stops when the server holds all files, not when the program ends;
where that was clearly earlier, its time is there too. What was written before
is on the disk before the clock starts, and memory as the work takes it was in
use. What is written is compared at the server afterwards.
The processor's time is that of the program, the mount and the server together:
it says more than the clock does where others work on the machine.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.within(cmd, func(r *rig) {
				compare(r, allPeers, cmd.OutOrStdout(), func(*rig) setup { return setup{} }, uploadWork(r.makeDir("source"), o))
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
	count := fmt.Sprintf("%d × %s", o.small, size(o.smallSize))
	return []work{
		{"cp " + size(o.large), upload{name: "large", source: large, want: one, words: []string{"cp", large}}.do},
		{"cp -r " + count, upload{name: "cp", source: copied, want: copies, words: []string{"cp", "-r", copied}}.do},
		{"rsync -a " + count, upload{name: "rsync", want: syncs, words: []string{"rsync", "-a", synced + "/"}}.do},
		{"rsync -a again", upload{name: "rsync", want: syncs, words: []string{"rsync", "-a", synced + "/"}}.do},
	}
}

// upload is one piece of work that copies files to a server.
type upload struct {
	name   string // of the target
	source string // what a peer without a mount sends; "": it cannot
	want   files
	words  []string // the command, without its target
}

func (u upload) do(at *place) (t took) {
	var cmd = at.command(append(u.words, filepath.Join(at.dir, u.name))...)
	if at.upload != nil {
		if u.source == "" {
			must(errNotHere)
		}
		cmd = at.upload(u.source, u.name, u.want)
	}
	var bytes int64
	for _, c := range u.want {
		bytes += c.size
	}
	warm(bytes)
	at.settle()
	before := at.processorTime()
	begin := time.Now()
	ran, _ := at.timed(cmd)
	t.returned, t.time = ran.time, ran.time
	for asked := time.Now(); at.held(u.name, false).holds(u.want) != nil; asked = time.Now() {
		if time.Since(begin) > at.limit {
			must(fmt.Errorf("the server does not hold everything in the time it had (--limit)"))
		}
		must(at.ctx.Err())
		time.Sleep(max(5*time.Millisecond, 4*time.Since(asked))) // asking costs the server time, too
		t.time = time.Since(begin)
	}
	t.processor = at.processorTime() - before + cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	// A file may have its size before it has its last bytes.
	at.until("content", nil, func() bool { return at.held(u.name, true).equals(u.want) == nil })
	return t
}

// warmTimes is how many copies of the work's bytes are in memory: in the source, the mount, the
// server, and in transit.
const warmTimes = 4

// warm touches as much memory as a piece of work needs, and frees it. On a virtual machine,
// touching memory for the first time costs more than the work. Without /dev/shm, or without
// space in it, warm does nothing.
func warm(bytes int64) {
	f, err := os.CreateTemp("/dev/shm", "paperfs-bench-")
	if err != nil {
		return
	}
	defer f.Close()
	_ = os.Remove(f.Name())
	_, _ = io.CopyN(f, zeros{}, warmTimes*bytes)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
