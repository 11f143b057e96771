package mounttest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// change is a gesture of testdata/trees.py, or one of the colleague. Times are seconds.
type change struct {
	Who, What     string
	Paths         []string
	Began, Opened float64  // Opened is when what the content replaced was certain
	Ended         float64  // infinite if a kill ended it
	Block         string   // the content that it writes
	Ends          []string // the contents in what it was to replace or to remove
	Moves         []string // the contents in what it was to move or to restore
	Done          bool     // all its calls succeeded
	Failed, Said  string
}

// content is the content of a file: whole blocks, in their order.
type content struct {
	digest string
	blocks []string
}

// where is where a content was found.
type where string

var blockOf = regexp.MustCompile(`<([^>/]+)>\nx*\n</([^>]+)>\n`)

func contentOf(data []byte) content {
	digest := sha256.Sum256(data)
	c := content{digest: hex.EncodeToString(digest[:])}
	for _, m := range blockOf.FindAllSubmatch(data, -1) {
		if string(m[1]) == string(m[2]) {
			c.blocks = append(c.blocks, string(m[1]))
		}
	}
	return c
}

func seconds(at time.Time) float64 { return float64(at.UnixMicro()) / 1e6 }

// readLogs adds the gestures of a round to its changes.
func (g *trees) readLogs(log string) {
	g.t.Helper()
	logs := testrun.Must(filepath.Glob(log + ".*"))(g.t)
	for n, name := range logs {
		data := testrun.Must(os.ReadFile(name))(g.t)
		var last *change
		for text := range strings.Lines(string(data)) {
			c := change{Who: fmt.Sprint("worker ", n), Ended: math.Inf(1)}
			require.NoError(g.t, json.Unmarshal([]byte(text), &c))
			switch {
			case c.Done:
				*last, last = c, nil
			case c.Failed != "" && last != nil:
				last.Failed, last.Ended, last = c.Failed, c.Ended, nil
			case c.Failed == "":
				g.changes = append(g.changes, c)
				last = &g.changes[len(g.changes)-1]
			}
		}
	}
	slices.SortStableFunc(g.changes, func(a, b change) int { return cmp.Compare(a.Began, b.Began) })
}

// shown returns what the mount shows in media/, by path.
func (g *trees) shown() map[string]content { return g.below("media") }

func (g *trees) below(dir string) map[string]content {
	found, root := map[string]content{}, filepath.Join(g.dir, dir)
	_ = filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, p)
		switch {
		case err != nil:
			found[rel] = content{digest: err.Error()} // it may change yet
		case e.IsDir():
			found[rel] = content{digest: "directory"}
		default:
			data, err := os.ReadFile(p)
			if found[rel] = contentOf(data); err != nil {
				found[rel] = content{digest: err.Error()}
			}
		}
		return nil
	})
	return found
}

// version is a content that a file of the service has or had.
type version struct {
	content
	until float64 // when it was replaced, infinite if it was not
}

// versions returns what the service has and keeps of each file, oldest first, by id.
func (g *trees) versions() map[int64][]version {
	g.t.Helper()
	c := g.client()
	entries := testrun.Must(c.GetDeleted(g.t.Context(), remote.Place{}, time.Time{}, 0))(g.t)
	all := map[int64][]version{}
	for _, e := range slices.Backward(entries) {
		if e.Kind != "file" {
			continue
		}
		if _, known := g.read[e.Entry]; !known {
			from := testrun.Must(c.GetEntry(g.t.Context(), e.Entry, remote.Part{}))(g.t)
			data := testrun.Must(io.ReadAll(from))(g.t)
			from.Close()
			g.read[e.Entry] = contentOf(data)
		}
		all[e.ID] = append(all[e.ID], version{g.read[e.Entry], seconds(e.At)})
	}
	tree := testrun.Must(c.GetTree(g.t.Context()))(g.t)
	shown := map[string]content{}
	for _, s := range g.shown() {
		shown[s.digest] = s
	}
	for _, f := range tree.Files {
		all[f.ID] = append(all[f.ID], version{shown[f.SHA256], math.Inf(1)})
	}
	return all
}

// lost lists the contents that are nowhere, and those of the colleague that were replaced unseen.
func (g *trees) lost() (wrong []string) {
	g.t.Helper()
	versions := g.versions()
	found := map[string]where{}
	for id, all := range versions {
		for _, v := range all {
			for _, b := range v.blocks {
				found[b] = where(fmt.Sprint("file ", id))
			}
		}
		wrong = append(wrong, g.unseen(id, all)...)
	}
	for p, c := range g.below(".paperfs/failed") {
		for _, b := range c.blocks {
			if found[b] == "" {
				found[b] = where("failed/" + p)
			}
		}
	}
	for i, c := range g.changes {
		switch {
		case !c.Done || c.Block == "":
		case found[c.Block] != "":
			g.kept[c.Block] = found[c.Block]
		case !g.ended(i, found):
			wrong = append(wrong, fmt.Sprintf("%s is nowhere: %+v", c.Block, c))
		}
	}
	for b, at := range g.kept {
		switch {
		case strings.HasPrefix(string(found[b]), "failed/"): // the test removes it there
			delete(g.kept, b)
		case found[b] == "" && !g.removed(b):
			wrong = append(wrong, fmt.Sprintf("%s was in %s and is nowhere", b, at))
		case found[b] == "":
			delete(g.kept, b)
		}
	}
	return wrong
}

// ended reports whether others on this machine may have ended a content: by a gesture that had it before itself, or at
// the same time as it was written or moved; or by newer content of its name in failed/, which has one for each name.
// What is appended meanwhile ends nothing, but comes between the halves of what is appended itself.
func (g *trees) ended(i int, found map[string]where) bool {
	c := g.changes[i]
	for j, d := range g.changes {
		if i == j || d.Who == "colleague" {
			continue
		}
		newer := strings.HasPrefix(string(found[d.Block]), "failed/") && d.Ended >= c.Began && (d.sharesName(c) || g.moved(c, d.sharesName))
		if slices.Contains(d.Ends, c.Block) || newer || (d.What != "append" || c.What == "append") && g.beside(d, c) {
			return true
		}
	}
	return false
}

// beside reports whether d may have met the content of c while it was written, or while a rename moved it.
func (g *trees) beside(d, c change) bool {
	if g.meets(d, c) {
		return true
	}
	return g.moved(c, func(m change) bool { return !slices.Contains(d.Moves, c.Block) && g.meets(d, m) })
}

// moved reports whether one of the gestures that moved the content of c is meant.
func (g *trees) moved(c change, meant func(m change) bool) bool {
	return slices.ContainsFunc(g.changes, func(m change) bool { return slices.Contains(m.Moves, c.Block) && meant(m) })
}

// meets reports whether two gestures on one file were under way at the same time. A rename meanwhile gives what d has open
// another name.
func (g *trees) meets(d, c change) bool {
	if d.Began > c.Ended || d.Ended < c.Began {
		return false
	}
	return d.sharesName(c) || slices.ContainsFunc(g.changes, func(m change) bool {
		return m.What == "move" && m.Began <= d.Ended && m.Ended >= d.Began && m.sharesName(d) && m.sharesName(c)
	})
}

// removed reports whether a gesture of the round moved what the service kept, and another may have ended it then.
func (g *trees) removed(block string) bool {
	return slices.ContainsFunc(g.changes, func(d change) bool { return slices.Contains(d.Moves, block) })
}

func (c change) sharesName(d change) bool {
	return slices.ContainsFunc(c.Paths, func(p string) bool {
		return slices.ContainsFunc(d.Paths, func(q string) bool { return strings.EqualFold(path.Base(p), path.Base(q)) })
	})
}

// unseen lists the contents of the colleague that a version of the mount replaced although they came after its file was opened.
func (g *trees) unseen(id int64, all []version) (wrong []string) {
	by := map[string]change{}
	for _, c := range g.changes {
		by[c.Block] = c
	}
	for i := 1; i < len(all); i++ {
		was, is := all[i-1], all[i]
		for _, b := range was.blocks {
			theirs, known := by[b]
			if !known || theirs.Who != "colleague" || slices.Contains(is.blocks, b) {
				continue
			}
			for _, own := range is.blocks {
				c, known := by[own]
				if !known || c.Who == "colleague" || slices.Contains(was.blocks, own) || c.Opened == 0 || theirs.Began < c.Opened {
					continue
				}
				if was.until < c.Began-1 || g.cameBack(c, was.until) || g.tookAway(theirs, was.until) {
					continue
				}
				wrong = append(wrong, fmt.Sprintf("file %d: %+v was replaced at %f by %+v, which had not seen it", id, theirs, was.until, c))
			}
		}
	}
	return wrong
}

// tookAway reports whether the colleague may have removed a content; the next content of its name takes up its id.
func (g *trees) tookAway(theirs change, at float64) bool {
	return slices.ContainsFunc(g.changes, func(d change) bool {
		return d.Who == "colleague" && strings.HasPrefix(d.What, "removes") && d.Ended >= at-1 && d.Began <= at+1 && d.sharesName(theirs)
	})
}

// cameBack reports whether a content may have got its place by a rename or by being restored, in place of its own close.
func (g *trees) cameBack(c change, at float64) bool {
	return slices.ContainsFunc(g.changes, func(d change) bool {
		switch d.What {
		case "move", "restore":
			return slices.Contains(d.Moves, c.Block) || d.Began <= c.Ended && d.Ended >= c.Began
		case "undo", "restores":
			return d.Ended >= c.Ended && d.Began <= at+1
		}
		return false
	})
}

// tell returns the changes as text for people.
func (g *trees) tell() (text string) {
	for _, c := range g.changes {
		text += fmt.Sprintf("%.3f-%.3f (%.3f) %s: %s %v %s, ends %v, moves %v, done: %t %s%s\n", math.Mod(c.Began, 1000), math.Mod(c.Ended, 1000), math.Mod(c.Opened, 1000),
			c.Who, c.What, c.Paths, c.Block, c.Ends, c.Moves, c.Done, c.Failed, c.Said)
	}
	return text
}
