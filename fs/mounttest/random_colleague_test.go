package mounttest

import (
	"fmt"
	"path"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

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
