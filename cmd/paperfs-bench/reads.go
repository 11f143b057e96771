package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"paperfs/fs/control"
)

// readOptions are the sizes of the work.
type readOptions struct {
	options
	large int64
	small int
}

func newReadsCommand() *cobra.Command {
	o := readOptions{large: 256 << 20, small: 200}
	cmd := &cobra.Command{
		Use:   "reads",
		Short: "Read files of a server, in whole and in parts",
		Long:  "Each piece of work runs in a mount of its own, whose caches are empty, but for those that say again. The local disk is never cold.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.within(cmd, func(r *rig) { compare(r, cmd.OutOrStdout(), o.makeLibrary, readWork(o)...) })
		},
	}
	o.bind(cmd)
	f := cmd.Flags()
	f.Int64Var(&o.large, "large", o.large, "bytes of the large file; eight others have an eighth each")
	f.IntVar(&o.small, "small", o.small, "how many files of 1 MiB, and of 10 KiB")
	return cmd
}

const (
	largeFile = "large.bin"
	eighths   = "eighths"
	mebibytes = "mebibytes"
	tens      = "tens"
)

// makeLibrary makes the files that are read, and a service's data directory with them.
func (o *readOptions) makeLibrary(r *rig) setup {
	from := setup{served: r.makeDir("served")}
	makeFile(filepath.Join(from.served, largeFile), o.large, 0)
	makeFiles(filepath.Join(from.served, eighths), 8, o.large/8, 1)
	makeFiles(filepath.Join(from.served, mebibytes), o.small, 1<<20, 2)
	makeFiles(filepath.Join(from.served, tens), o.small, 10<<10, 3)
	if r.paperfs != "" {
		r.say("the files are published")
		data := filepath.Join(r.makeDir("published"), "data")
		must(r.part("publishing").use(func(r *rig) {
			at := paperfsEmbeddedPeer.open(r, setup{data: data})
			r.run(r.command("cp", "-r", from.served+"/.", at.dir))
		}))
		from.data = data
	}
	return from
}

// randomReads is how often a program reads 4 KiB somewhere.
const randomReads = 1000

// readAtRandom is a program as a database is: it reads pages.
const readAtRandom = `python3 -c 'import os, random; f = os.open("%s", 0); [os.pread(f, 4096, random.randint(0, %d)) for _ in range(%d)]'`

// readWork is the work, by the mounts that it is done in.
func readWork(o readOptions) [][]work {
	const toNothing, waitForAll = " > /dev/null", "\nfor one in $(jobs -p); do wait $one; done" // and fail if one fails
	large, eighth := humanize.IBytes(uint64(o.large)), humanize.IBytes(uint64(o.large/8))
	tar := func(dir string) string { return "tar cf - " + dir + " | cat" + toNothing }
	return [][]work{
		{{"head -c1 of " + large, read("head -c1 " + largeFile)}},
		{{"cat of " + large, read("cat " + largeFile + toNothing)}, {"cat again", read("cat " + largeFile + toNothing)}},
		{{fmt.Sprintf("%d × 4 KiB at random", randomReads), read(fmt.Sprintf(readAtRandom, largeFile, o.large-4096, randomReads))}},
		{{"tail -c10", read("tail -c10 " + largeFile)}},
		{{fmt.Sprintf("tar of %d × 1 MiB", o.small), read(tar(mebibytes))}},
		{{fmt.Sprintf("tar of %d × 10 KiB", o.small), read(tar(tens))}},
		{{"8 × " + eighth + ", one by one", read("cat " + eighths + "/*" + toNothing)}},
		{{"8 × " + eighth + " at once", read("for f in " + eighths + "/*; do cat $f" + toNothing + " & done" + waitForAll)}},
		{{"8 readers of " + large, read("for i in 1 2 3 4 5 6 7 8; do cat " + largeFile + toNothing + " & done" + waitForAll)}},
	}
}

// read runs a shell in a mount.
func read(shell string) func(*place) took {
	return func(at *place) took {
		at.run(at.command("ls", at.dir)) // it has the names by then, as a mount in use
		before := at.fetched()
		took, _ := at.timed(at.command("bash", "-eo", "pipefail", "-c", "cd "+at.dir+"\n"+shell))
		if after := at.fetched(); after != nil && before != nil {
			took.note = fmt.Sprintf("%d requests, %.1f MiB", after.ByOperation["Download"]-before.ByOperation["Download"], float64(after.Received-before.Received)/(1<<20))
		}
		return took
	}
}

// fetched asks a mount of paperfs what it has fetched; others do not tell. It costs no request.
func (at *place) fetched() *control.Requests {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(at.dir), ".paperfs", "status"))
	var s control.Status
	if err != nil || json.Unmarshal(text, &s) != nil {
		return nil
	}
	return &s.Requests
}
