package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"paperfs/fs/control"
)

// readWork is one piece of work that reads.
type readWork struct {
	title string
	shell string   // what a mount does, in its directory
	files string   // that curl fetches, one after the other: a file, or a directory
	curl  []string // what curl is told besides; nil: curl cannot do it
}

const waitForAll = "\nfor one in $(jobs -p); do wait $one; done" // and fail if one fails

// randomReads is how often a program reads 4 KiB somewhere.
const randomReads = 1000

// readSessions are the pieces of work. Those of one session run in the same mount.
func readSessions(o readOptions) ([][]readWork, error) {
	self, err := os.Executable()
	large, eighth := size(o.large), size(o.large/8)
	tar := func(dir string) string { return "tar cf - " + dir + " | cat > /dev/null" }
	return [][]readWork{
		{{"head -c1 of " + large, "head -c1 " + largeFile, largeFile, []string{"--range", "0-0"}}},
		{{"cat of " + large, "cat " + largeFile + " > /dev/null", largeFile, []string{}},
			{"cat again", "cat " + largeFile + " > /dev/null", "", nil}},
		{{fmt.Sprintf("%d × 4 KiB at random", randomReads), self + " read-at-random " + largeFile, "", nil}},
		{{"tail -c10", "tail -c10 " + largeFile, largeFile, []string{"--range", "-10"}}},
		{{"unzip -l", "unzip -l " + archiveFile + " > /dev/null", "", nil}},
		{{fmt.Sprintf("tar of %d × 1 MiB", o.small), tar(mebibytes), mebibytes, []string{}}},
		{{fmt.Sprintf("tar of %d × 10 KiB", o.small), tar(tens), tens, []string{}}},
		{{"8 × " + eighth + ", one by one", "cat " + eighths + "/* > /dev/null", eighths, []string{}}},
		{{"8 × " + eighth + " at once", "for f in " + eighths + "/*; do cat $f > /dev/null & done" + waitForAll, eighths, []string{"--parallel"}}},
		{{"8 readers of " + large, "for i in 1 2 3 4 5 6 7 8; do cat " + largeFile + " > /dev/null & done" + waitForAll, "", nil}},
	}, err
}

// words returns the command for a place, nil if it cannot do the work.
func (w readWork) words(at *place) []string {
	if at.urls == nil {
		return []string{"bash", "-eo", "pipefail", "-c", "cd " + at.dir + "\n" + w.shell}
	}
	if w.curl == nil {
		return nil
	}
	words := append([]string{"curl", "--silent", "--show-error", "--fail"}, w.curl...)
	for i, url := range at.urls(w.files) {
		words = append(words, url, "--output", fmt.Sprint("curl-", i))
	}
	return words
}

// fetches is what a mount fetched of files; nil: it does not tell.
type fetches struct {
	requests uint64
	bytes    uint64
}

// fetched asks a mount of paperfs. It costs no request.
func (at *place) fetched() *fetches {
	text, err := os.ReadFile(filepath.Join(at.mountpoint, ".paperfs", "status"))
	if at.mountpoint == "" || err != nil {
		return nil
	}
	var s control.Status
	if json.Unmarshal(text, &s) != nil {
		return nil
	}
	return &fetches{s.Requests.ByOperation["Download"], s.Requests.Received}
}

func (f *fetches) since(before *fetches) string {
	if f == nil || before == nil {
		return ""
	}
	return fmt.Sprintf("%d requests, %.1f MiB", f.requests-before.requests, float64(f.bytes-before.bytes)/(1<<20))
}

// urls returns the addresses of a file, or of all files in a directory.
func (s *paperfsService) urls(name string) (all []string) {
	held, _, _ := s.held()
	for at, f := range held {
		if at == name || strings.HasPrefix(at, name+"/") {
			all = append(all, f.URL)
		}
	}
	return all
}

// newReadAtRandomCommand is a program as a database is: it reads pages.
func newReadAtRandomCommand() *cobra.Command {
	return &cobra.Command{
		Use: "read-at-random", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				return err
			}
			page, random := make([]byte, 4<<10), rand.New(rand.NewPCG(1, 2))
			for range randomReads {
				if _, err := f.ReadAt(page, random.Int64N(info.Size()>>12)<<12); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
