package mounttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// oracle knows what the gestures have promised. A digest "" means no file.
type oracle struct {
	promised map[string]string   // the expected content of each path
	may      map[string][]string // contents allowed since the promise
	ever     map[string][]string // every complete content of the path
	kept     []kept
	failures [][]string // the paths of each gesture that failed by itself

	pdfs map[string]string // digests of PDFs, by the text of their page
}

// kept is the content of a rename with an unknown outcome.
type kept struct {
	digest string
	paths  map[string]string
}

// line is a line of the log, which also has the gesture and the digest of its first half (does):
// what it intends, what it promises, what a rename moves, what a program read before it did
// anything, where it failed by itself, or where a close returned 0 after a refused write.
type line struct{ May, Is, Keeps, Reads, Fails, Lies, PDF map[string]string }

// read reads a round's log, and counts the gestures in it.
func (o *oracle) read(t testing.TB, log string) (tried, done int) {
	if o.promised == nil {
		o.promised, o.may, o.ever, o.pdfs = map[string]string{}, map[string][]string{}, map[string][]string{}, map[string]string{}
	}
	logs := testrun.Must(filepath.Glob(log + ".*"))(t)
	for _, name := range logs {
		data := testrun.Must(os.ReadFile(name))(t)
		renames := false // the next May belongs to the rename
		for text := range strings.Lines(string(data)) {
			var l line
			require.NoError(t, json.Unmarshal([]byte(text), &l))
			maps.Copy(o.pdfs, l.PDF)
			for path, digest := range l.Reads {
				require.Equal(t, o.promised[path], digest, path)
			}
			require.Empty(t, l.Lies, "a write was refused, but the close after it returned 0: %s", data)
			if l.Fails != nil {
				o.failures = append(o.failures, slices.Collect(maps.Keys(l.Fails)))
			}
			if l.May != nil {
				tried++
			}
			if l.Is != nil {
				done++
			}
			for path, digest := range l.May {
				o.may[path] = append(o.may[path], digest)
				o.ever[path] = append(o.ever[path], digest)
			}
			if !renames {
				o.forget(l.May)
			}
			o.forget(l.Is)
			for path, digest := range l.Is {
				o.promised[path], o.may[path] = digest, nil
			}
			for _, digest := range l.Keeps {
				o.forget(l.Keeps)
				o.kept = append(o.kept, kept{digest, l.Keeps})
			}
			renames = l.Keeps != nil
		}
	}
	return tried, done
}

// forget drops renames whose names are used again.
func (o *oracle) forget(paths map[string]string) {
	o.kept = slices.DeleteFunc(o.kept, func(k kept) bool {
		for path := range paths {
			if _, ok := k.paths[path]; ok {
				return true
			}
		}
		return false
	})
}

// wrong lists violations of the rules.
func (o *oracle) wrong(found map[string]string, failed []string) (list []string) {
	paths := maps.Clone(found)
	maps.Copy(paths, o.promised)
	for path := range paths {
		is, promised := found[path], o.promised[path]
		switch {
		case is == promised, slices.Contains(o.may[path], is):
		case promised != "" && slices.Contains(failed, promised) && (is == "" || slices.Contains(o.ever[path], is)):
		case is != "" && !slices.Contains(o.ever[path], is):
			list = append(list, fmt.Sprintf("%s holds %.8s, which nobody has closed", path, is))
		default:
			list = append(list, fmt.Sprintf("%s holds %.8s, not %.8s nor one of %.8s", path, is, promised, o.may[path]))
		}
	}
	for _, k := range o.kept {
		held := slices.Contains(failed, k.digest)
		for path := range k.paths {
			held = held || found[path] == k.digest
		}
		if !held {
			list = append(list, fmt.Sprintf("%.8s of a rename is nowhere", k.digest))
		}
	}
	return list
}

// settle accepts the current content as promised.
func (o *oracle) settle(found map[string]string) {
	o.promised, o.may, o.kept = maps.Clone(found), map[string][]string{}, nil
}
