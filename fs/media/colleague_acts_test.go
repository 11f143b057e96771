package media_test

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// colleagueActs makes the colleague change something on the service, unless the needed file is missing.
func (b *colleagueMount) colleagueActs() {
	p := colleaguePaths[b.random.IntN(len(colleaguePaths))]
	dir := []string{"d", "e"}[b.random.IntN(2)]
	switch b.random.IntN(10) {
	case 0, 1, 2, 3:
		b.colleaguePuts(p)
	case 4:
		b.colleaguePuts(strings.ToUpper(p[:1]) + p[1:]) // in d, lookups do not find this directory
	case 5, 6:
		b.colleagueDeletes(p)
	case 7:
		b.colleagueDeletesDir(dir)
	default:
		b.colleagueCreatesDir(dir)
	}
}

// servicePaths returns the service's ids by path; directories end in a slash.
func (b *colleagueMount) servicePaths() map[string]int64 {
	tree, err := b.colleague.GetTree(b.t.Context())
	require.NoError(b.t, err)
	names, ids := map[int64]string{0: ""}, map[string]int64{"": 0}
	for _, d := range tree.Dirs {
		names[d.ID] = names[d.Parent] + d.Name + "/"
		ids[names[d.ID]] = d.ID
	}
	for _, f := range tree.Files {
		ids[strings.ToLower(names[f.Parent]+f.Name)] = f.ID
	}
	return ids
}

// recordColleague records what the colleague does to a path.
func (b *colleagueMount) recordColleague(who, p, digest string, do func() error) {
	a := &act{who: "colleague " + who, may: []string{digest}, began: b.history.tick(), ended: never, settled: never}
	b.note("colleague %s %s (%.8s)", who, p, digest)
	err := do()
	if err != nil {
		b.note("%v", err)
	}
	a.acked = err == nil
	a.ended = b.history.tick()
	a.settled = a.ended
	b.history.add(strings.ToLower(p), a)
}

func (b *colleagueMount) colleaguePuts(p string) {
	content, _ := b.content("theirs")
	dir, name := path.Split(p)
	id, ok := b.servicePaths()[dir]
	if !ok {
		return
	}
	b.recordColleague("puts", p, sum(content), func() error {
		_, err := b.colleague.UploadFile(b.t.Context(), id, name, bytesContent(content))
		return err
	})
}

func (b *colleagueMount) colleagueDeletes(p string) {
	if id, ok := b.servicePaths()[p]; ok {
		b.recordColleague("removes", p, "", func() error { return b.colleague.DeleteFile(b.t.Context(), id) })
	}
}

// colleagueDeletesDir removes a directory with its files.
func (b *colleagueMount) colleagueDeletesDir(dir string) {
	places := b.servicePaths()
	id, ok := places[dir+"/"]
	if !ok {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(places)) {
		if strings.HasPrefix(p, dir+"/") && !strings.HasSuffix(p, "/") {
			b.colleagueDeletes(p)
		}
	}
	b.note("colleague removes %s: %v", dir, b.colleague.DeleteDirectory(b.t.Context(), id))
}

// colleagueCreatesDir creates a directory if it is missing, and usually a file in it.
func (b *colleagueMount) colleagueCreatesDir(dir string) {
	if _, ok := b.servicePaths()[dir+"/"]; !ok {
		_, err := b.colleague.CreateDirectory(b.t.Context(), 0, dir)
		b.note("colleague creates %s: %v", dir, err)
	}
	if b.random.IntN(3) > 0 {
		b.colleaguePuts(dir + "/a")
	}
}
