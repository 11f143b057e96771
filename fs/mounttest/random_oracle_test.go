package mounttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
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

// inPapers is the category of the random gestures, from the mount's root.
const inPapers = "papers/R/"

// papers adds the PDFs whose pages the service has to the found ones, and lists what is wrong with
// the papers, and with the PDFs that the mount shows.
func (g *gestures) papers(found map[string]string) (wrong []string) {
	g.t.Helper()
	c := g.client()
	var category int64
	var papers []remote.Node
	require.NoError(g.t, c.GetAllPapers(g.t.Context(), g.status().Tree.RootID, func(n remote.Node) error {
		switch {
		case n.Kind == remote.CategoryNode && n.Name == "R":
			category = n.ID
		case n.Kind == remote.PaperNode && n.Parent == category:
			papers = append(papers, n)
		}
		return nil
	}))
	once := map[string]bool{}
	for _, n := range papers {
		path := inPapers + n.Name + ".pdf"
		if once[path] {
			wrong = append(wrong, path+" is there twice")
		}
		once[path] = true
		structure := testrun.Must(c.GetPaperStructure(g.t.Context(), n.ID, true))(g.t)
		pages := testrun.Must(remote.ParseStructure(structure))(g.t)
		if len(pages) == 0 {
			continue // the paper exists, but has no PDF
		}
		text := strings.TrimSpace(pages[0].Text)
		if found[path] = g.oracle.pdfs[text]; found[path] == "" {
			wrong = append(wrong, fmt.Sprintf("%s has a page of %q, which nobody has dropped", path, text))
		}
	}
	whole := map[string]bool{}
	for _, digest := range g.oracle.pdfs {
		whole[digest] = true
	}
	for name, digest := range g.shownPDFs(papers) {
		if !whole[digest] && digest != sum("") {
			wrong = append(wrong, fmt.Sprintf("%s shows %.8s, which is no whole PDF", name, digest))
		}
	}
	return wrong
}

// shownPDFs returns the digests of the PDFs that the mount shows next to papers.
func (g *gestures) shownPDFs(papers []remote.Node) map[string]string {
	shown := map[string]string{}
	for _, n := range papers {
		out, err := g.run("bash", "sha256sum < "+inPapers+n.Name+".pdf 2> /dev/null")
		if digest, _, ok := strings.Cut(out, " "); ok && err == nil {
			shown[n.Name] = digest
		}
	}
	return shown
}

// toldOfPaper reports whether errors names a PDF's paper: by one of its temporary names, or in its
// directory.
func toldOfPaper(told map[string]bool, path string) bool {
	stem, ok := strings.CutSuffix(path, ".pdf")
	for t := range told {
		if ok && strings.HasPrefix(t, stem+".") {
			return true
		}
	}
	return false
}

// colleagueActs makes the colleague change something in the tree at the service, which may refuse it.
func (g *trees) colleagueActs(round int) {
	tree := testrun.Must(g.theirs.GetTree(g.t.Context()))(g.t)
	names := map[int64]string{}
	var dirs []remote.MediaDir // in t, which is the first
	for _, d := range tree.Dirs {
		if names[d.ID] = path.Join(names[d.Parent], d.Name); strings.HasPrefix(names[d.ID]+"/", "t/") {
			dirs = append(dirs, d)
		}
	}
	r := g.colleague
	to := dirs[r.IntN(len(dirs))].ID
	name, dirName := []string{"a", "b", "c"}[r.IntN(3)], []string{"d", "D", "e"}[r.IntN(3)]
	switch n := r.IntN(12); {
	case n < 4:
		g.colleaguePuts(round, path.Join(names[to], name), to)
	case n < 5:
		g.did("makes a directory", path.Join(names[to], dirName), func() error { _, err := g.theirs.CreateDirectory(g.t.Context(), to, dirName); return err })
	case n < 7 && len(tree.Files) > 0:
		f := tree.Files[r.IntN(len(tree.Files))]
		g.did("removes", path.Join(names[f.Parent], f.Name), func() error { return g.theirs.DeleteFile(g.t.Context(), f.ID) })
	case n < 8 && len(tree.Files) > 0:
		f := tree.Files[r.IntN(len(tree.Files))]
		g.did("moves", path.Join(names[f.Parent], f.Name)+" to "+path.Join(names[to], name), func() error { _, err := g.theirs.MoveFile(g.t.Context(), f.ID, to, name, remote.NoFile); return err })
	case n < 10 && len(dirs) > 1:
		d := dirs[1+r.IntN(len(dirs)-1)]
		g.did("moves a directory", names[d.ID]+" to "+path.Join(names[to], dirName), func() error { return g.theirs.MoveDirectory(g.t.Context(), d.ID, to, dirName, r.IntN(2) == 0) })
	case n < 11 && len(dirs) > 1:
		d := dirs[1+r.IntN(len(dirs)-1)]
		g.did("removes a directory", names[d.ID], func() error { return g.theirs.DeleteDirectory(g.t.Context(), d.ID) })
	default:
		g.colleagueRestores()
	}
}

// did records what the colleague did.
func (g *trees) did(what, where string, do func() error) {
	c := change{Who: "colleague", What: what, Paths: []string{where}, Began: seconds(time.Now())}
	if err := do(); err != nil {
		c.Failed = err.Error()
	}
	c.Ended, c.Done = seconds(time.Now()), c.Failed == ""
	g.changes = append(g.changes, c)
}

func (g *trees) colleaguePuts(round int, where string, dir int64) {
	g.puts++
	block := fmt.Sprintf("c.%d.%d.%d", g.puts, g.seed, round)
	text := fmt.Sprintf("<%s>\n%s\n</%[1]s>\n", block, strings.Repeat("x", g.colleague.IntN(3000)))
	g.did("puts", where, func() error {
		_, err := g.theirs.UploadFile(g.t.Context(), dir, path.Base(where), bytesOf(text))
		return err
	})
	g.changes[len(g.changes)-1].Block = block
}

// colleagueRestores brings back one of the last things that the colleague took away.
func (g *trees) colleagueRestores() {
	entries := testrun.Must(g.theirs.GetDeleted(g.t.Context(), remote.Place{}, time.Time{}, 20))(g.t)
	for _, e := range entries {
		if e.Account == "colleague" && g.colleague.IntN(3) == 0 {
			g.did("restores", e.Path, func() error { _, err := g.theirs.Restore(g.t.Context(), e.Entry, ""); return err })
			return
		}
	}
}
