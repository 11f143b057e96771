package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

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
		Long: `Read files of a server, in whole and in parts.

Each piece of work runs in a mount of its own, whose caches are empty, but for
those that say again. The local disk and the servers are never cold: their files
were just made. Where the mount tells it, the table has the requests and the MiB
that were fetched for the files. The peak of memory is that of all mounts.
curl downloads to files.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.large < 1<<20 || o.small < 1 {
				return fmt.Errorf("--large %d --small %d: at least 1 MiB and one file", o.large, o.small)
			}
			return o.within(cmd, func(r *rig) { compare(r, allPeers, cmd.OutOrStdout(), o.makeLibrary, readWork(o)...) })
		},
	}
	o.bind(cmd)
	f := cmd.Flags()
	f.Int64Var(&o.large, "large", o.large, "bytes of the large file; eight others have an eighth each")
	f.IntVar(&o.small, "small", o.small, "how many files of 1 MiB, and of 10 KiB")
	return cmd
}

const (
	largeFile   = "large.bin"
	archiveFile = "archive.zip"
	eighths     = "eighths"
	mebibytes   = "mebibytes"
	tens        = "tens"
)

// makeLibrary makes the files that are read, and a service's data directory with them.
func (o *readOptions) makeLibrary(r *rig) setup {
	from := setup{served: r.makeServed()}
	makeFile(filepath.Join(from.served, largeFile), o.large, 0)
	makeFiles(filepath.Join(from.served, eighths), 8, o.large/8, 1)
	makeFiles(filepath.Join(from.served, mebibytes), o.small, 1<<20, 2)
	makeFiles(filepath.Join(from.served, tens), o.small, 10<<10, 3)
	archive := got(os.Create(filepath.Join(from.served, archiveFile)))
	z := zip.NewWriter(archive)
	must(errors.Join(z.AddFS(os.DirFS(filepath.Join(from.served, eighths))), z.Close(), archive.Close()))
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

// cannot is what curl is told where it cannot do the work.
const cannot = "cannot"

// randomReads is how often a program reads 4 KiB somewhere.
const randomReads = 1000

// readWork is the work, by the mounts that it is done in.
func readWork(o readOptions) [][]work {
	const toNothing, waitForAll = " > /dev/null", "\nfor one in $(jobs -p); do wait $one; done" // and fail if one fails
	large, eighth := size(o.large), size(o.large/8)
	tar := func(dir string) string { return "tar cf - " + dir + " | cat" + toNothing }
	return [][]work{
		{{"head -c1 of " + large, read("head -c1 "+largeFile, largeFile, "--range", "0-0")}},
		{{"cat of " + large, read("cat "+largeFile+toNothing, largeFile)}, {"cat again", read("cat "+largeFile+toNothing, cannot)}},
		{{fmt.Sprintf("%d × 4 KiB at random", randomReads), read(got(os.Executable())+" read-at-random "+largeFile, cannot)}},
		{{"tail -c10", read("tail -c10 "+largeFile, largeFile, "--range", "-10")}},
		{{"unzip -l", read("unzip -l "+archiveFile+toNothing, cannot)}},
		{{fmt.Sprintf("tar of %d × 1 MiB", o.small), read(tar(mebibytes), mebibytes)}},
		{{fmt.Sprintf("tar of %d × 10 KiB", o.small), read(tar(tens), tens)}},
		{{"8 × " + eighth + ", one by one", read("cat "+eighths+"/*"+toNothing, eighths)}},
		{{"8 × " + eighth + " at once", read("for f in "+eighths+"/*; do cat $f"+toNothing+" & done"+waitForAll, eighths, "--parallel")}},
		{{"8 readers of " + large, read("for i in 1 2 3 4 5 6 7 8; do cat "+largeFile+toNothing+" & done"+waitForAll, cannot)}},
	}
}

// read runs a shell in a mount; curl fetches files instead, with further flags.
func read(shell, files string, flags ...string) func(*place) took {
	return func(at *place) took {
		var words []string
		switch {
		case at.urls == nil:
			words = []string{"bash", "-eo", "pipefail", "-c", "cd " + at.dir + "\n" + shell}
			at.run(at.command("ls", at.dir)) // it has the names by then, as a mount in use
		case files == cannot:
			must(errNotHere)
		default:
			words = append([]string{"curl", "--silent", "--show-error", "--fail"}, flags...)
			for i, url := range at.urls(files) {
				words = append(words, url, "--output", fmt.Sprint("curl-", i))
			}
		}
		before := at.fetched()
		took, _ := at.timed(at.command(words...))
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

// newReadAtRandomCommand is a program as a database is: it reads pages.
func newReadAtRandomCommand() *cobra.Command {
	return &cobra.Command{
		Use: "read-at-random", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return attempt(func() {
				f := got(os.Open(args[0]))
				defer f.Close()
				page, random := make([]byte, 4<<10), rand.New(rand.NewPCG(1, 2))
				pages := got(f.Stat()).Size() / int64(len(page))
				for range randomReads {
					got(f.ReadAt(page, random.Int64N(pages)*int64(len(page))))
				}
			})
		},
	}
}
