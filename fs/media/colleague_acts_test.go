package media_test

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// colleagueActs makes the colleague change something on the service, unless the needed file is missing.
func (b *beside) colleagueActs() {
	p := colleaguePaths[b.random.IntN(len(colleaguePaths))]
	dir := []string{"d", "e"}[b.random.IntN(2)]
	switch b.random.IntN(10) {
	case 0, 1, 2, 3:
		b.put(p)
	case 4:
		b.put(strings.ToUpper(p[:1]) + p[1:]) // in d, lookups do not find this directory
	case 5, 6:
		b.take(p)
	case 7:
		b.vanish(dir)
	default:
		b.comeBack(dir)
	}
}

// places returns the service's ids by path; directories end in a slash.
func (b *beside) places() map[string]int64 {
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

// theirs records what the colleague does to a path.
func (b *beside) theirs(who, p, digest string, do func() error) {
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

func (b *beside) put(p string) {
	content, _ := b.content("theirs")
	dir, name := path.Split(p)
	id, ok := b.places()[dir]
	if !ok {
		return
	}
	b.theirs("puts", p, sum(content), func() error {
		_, err := b.colleague.UploadFile(b.t.Context(), id, name, bytesContent(content))
		return err
	})
}

func (b *beside) take(p string) {
	if id, ok := b.places()[p]; ok {
		b.theirs("removes", p, "", func() error { return b.colleague.DeleteFile(b.t.Context(), id) })
	}
}

// vanish removes a directory with its files.
func (b *beside) vanish(dir string) {
	places := b.places()
	id, ok := places[dir+"/"]
	if !ok {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(places)) {
		if strings.HasPrefix(p, dir+"/") && !strings.HasSuffix(p, "/") {
			b.take(p)
		}
	}
	b.note("colleague removes %s: %v", dir, b.colleague.DeleteDirectory(b.t.Context(), id))
}

// comeBack creates a directory if it is missing, and usually a file in it.
func (b *beside) comeBack(dir string) {
	if _, ok := b.places()[dir+"/"]; !ok {
		_, err := b.colleague.CreateDirectory(b.t.Context(), 0, dir)
		b.note("colleague creates %s: %v", dir, err)
	}
	if b.random.IntN(3) > 0 {
		b.put(dir + "/a")
	}
}
