package media

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// scratchModel is what .s and everything below it must contain, and the scratch files in
// directories that left it. Names of one file share a pointer.
type scratchModel struct {
	*fixture
	files     map[string]*scratchFile // by path
	dirs      map[string]bool         // by path, ".s" among them
	published map[string]string
	made      int // names of files that left scratch
}

type scratchFile struct {
	content string
}

// TestScratchAgainstModel performs random operations that only scratch supports, and moves
// files and directories out of it.
func TestScratchAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tmp, err := os.MkdirTemp(memory(), "media-scratch-")
		require.NoError(t, err)
		defer os.RemoveAll(tmp)
		options := []func(*Options){}
		if rapid.Bool().Draw(t, "write-back") {
			options = append(options, writingBack)
		}
		m := &scratchModel{fixture: makeFixture(t, tmp, options...), files: map[string]*scratchFile{}, dirs: map[string]bool{".s": true}, published: map[string]string{}}
		defer m.close()
		m.absent(Root, "nothing")
		m.mkdir(Root, ".s")
		t.Repeat(map[string]func(*rapid.T){
			"":        m.check,
			"write":   m.write,
			"mkdir":   m.makeDir,
			"link":    m.linkName,
			"unlink":  m.unlinkName,
			"rename":  m.renameName,
			"publish": m.publish,
			"restart": func(t *rapid.T) {
				if rapid.IntRange(0, 4).Draw(t, "seldom") == 0 {
					m.reopen()
				}
			},
		})
		m.drain()
		require.Equal(t, m.published, m.service.all())
		for p := range m.files {
			require.NoError(t, m.store.Unlink(ctx, m.ino(path.Dir(p)), path.Base(p)))
		}
		require.Zero(t, m.store.Status().SpoolBytes)
		require.Empty(t, m.store.Failed())
	})
}

func (m *scratchModel) ino(p string) Ino {
	a, err := m.store.Find(ctx, p)
	require.NoError(m.t, err, p)
	return a.Ino
}

// check compares all names, which of them are the same file, and contents.
func (m *scratchModel) check(t *rapid.T) {
	require.NoError(t, m.store.check())
	inos, names := map[*scratchFile]Ino{}, map[*scratchFile]int{}
	for _, f := range m.files {
		names[f]++
	}
	seen := 0
	for dir := range m.dirs {
		list, err := m.store.List(ctx, m.ino(dir))
		require.NoError(t, err)
		for _, e := range list.Entries {
			seen++
			p := path.Join(dir, e.Name)
			if e.Kind == Directory {
				require.True(t, m.dirs[p], p)
				continue
			}
			f := m.files[p]
			require.NotNil(t, f, p)
			if known, ok := inos[f]; ok {
				require.Equal(t, known, e.Ino, p)
			}
			inos[f] = e.Ino
			a, err := m.store.Stat(e.Ino)
			require.NoError(t, err)
			require.Equal(t, Local, a.Where)
			require.Equal(t, names[f], a.Links, p)
			content, err := m.read(e.Ino)
			require.NoError(t, err)
			require.Equal(t, f.content, content, p)
		}
	}
	for p := range m.files {
		if !strings.HasPrefix(p, ".s/") {
			seen++
		}
	}
	require.Equal(t, len(m.files)+len(m.dirs)-1, seen)
	require.Len(t, slices.Compact(slices.Sorted(maps.Values(inos))), len(inos), "different files have different inode numbers")
}

// somewhere draws a place in an existing directory.
func (m *scratchModel) somewhere(t *rapid.T, label string) string {
	dir := rapid.SampledFrom(slices.Sorted(maps.Keys(m.dirs))).Draw(t, label+" in")
	return path.Join(dir, rapid.SampledFrom([]string{"a", "b", "c", ".h"}).Draw(t, label))
}

// file draws an existing file.
func (m *scratchModel) file(t *rapid.T) string {
	if len(m.files) == 0 {
		t.Skip()
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(m.files))).Draw(t, "file")
}

func (m *scratchModel) write(t *rapid.T) {
	p, content := m.somewhere(t, "name"), rapid.StringN(0, 9, 20).Draw(t, "content")
	f := m.files[p]
	switch {
	case m.dirs[p]:
		t.Skip()
	case f != nil:
		require.NoError(t, m.overwrite(m.ino(p), content))
		f.content = content
	default:
		_, err := m.create(m.ino(path.Dir(p)), path.Base(p), content)
		require.NoError(t, err)
		m.files[p] = &scratchFile{content: content}
	}
}

func (m *scratchModel) makeDir(t *rapid.T) {
	p := m.somewhere(t, "name")
	_, err := m.store.Mkdir(ctx, m.ino(path.Dir(p)), path.Base(p), New{Mode: 0o755})
	if m.taken(p) {
		require.True(t, Is(err, Exists))
		return
	}
	require.NoError(t, err)
	m.dirs[p] = true
}

func (m *scratchModel) taken(p string) bool { return m.dirs[p] || m.files[p] != nil }

func (m *scratchModel) linkName(t *rapid.T) {
	old, p := m.file(t), m.somewhere(t, "name")
	_, err := m.store.Link(m.ino(old), m.ino(path.Dir(p)), path.Base(p), "")
	if m.taken(p) {
		require.True(t, Is(err, Exists))
		return
	}
	require.NoError(t, err)
	m.files[p] = m.files[old]
}

func (m *scratchModel) unlinkName(t *rapid.T) {
	p := m.file(t)
	require.NoError(t, m.store.Unlink(ctx, m.ino(path.Dir(p)), path.Base(p)))
	delete(m.files, p)
}

func (m *scratchModel) renameName(t *rapid.T) {
	from, to := m.somewhere(t, "from"), m.somewhere(t, "to")
	if !m.taken(from) {
		t.Skip()
	}
	err := m.rename(m.ino(path.Dir(from)), path.Base(from), m.ino(path.Dir(to)), path.Base(to))
	f := m.files[from]
	switch {
	case from == to, f != nil && f == m.files[to]:
		require.NoError(t, err)
	case f == nil && strings.HasPrefix(to, from+"/"), f == nil != m.dirs[to] && m.taken(to), m.dirs[to] && m.holds(to):
		require.Error(t, err)
	case f != nil:
		require.NoError(t, err)
		delete(m.files, from)
		m.files[to] = f
	default:
		require.NoError(t, err)
		m.moveTree(from, to)
	}
}

// holds reports whether a directory is not empty.
func (m *scratchModel) holds(dir string) bool {
	below := func(p string) bool { return strings.HasPrefix(p, dir+"/") }
	return slices.ContainsFunc(slices.Collect(maps.Keys(m.files)), below) || slices.ContainsFunc(slices.Collect(maps.Keys(m.dirs)), below)
}

func (m *scratchModel) moveTree(from, to string) {
	for p := range maps.Clone(m.dirs) {
		if rest, ok := strings.CutPrefix(p+"/", from+"/"); ok {
			delete(m.dirs, p)
			m.dirs[path.Join(to, rest)] = true
		}
	}
	for p, f := range maps.Clone(m.files) {
		if rest, ok := strings.CutPrefix(p, from+"/"); ok {
			delete(m.files, p)
			m.files[path.Join(to, rest)] = f
		}
	}
}

// publish renames a file or directory to a visible name.
func (m *scratchModel) publish(t *rapid.T) {
	from := m.somewhere(t, "from")
	if !m.taken(from) {
		t.Skip()
	}
	m.made++
	name := fmt.Sprintf("visible%d", m.made)
	inside, refused := m.leaving(from)
	err := m.rename(m.ino(path.Dir(from)), path.Base(from), Root, name)
	if refused {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	if f := m.files[from]; f != nil {
		delete(m.files, from)
		m.published[name] = f.content
		return
	}
	for p := range inside {
		m.published[path.Join(name, strings.TrimPrefix(p, from))] = m.files[p].content
	}
	m.moveTree(from, name)
	maps.DeleteFunc(m.dirs, func(p string, _ bool) bool { return strings.HasPrefix(p+"/", name+"/") })
	maps.DeleteFunc(m.files, func(p string, _ *scratchFile) bool { return inside[from+strings.TrimPrefix(p, name)] })
}

// leaving returns which files become visible with from, and whether the service refuses one of
// them.
func (m *scratchModel) leaving(from string) (files map[string]bool, refused bool) {
	names := map[*scratchFile]int{}
	for _, f := range m.files {
		names[f]++
	}
	if f := m.files[from]; f != nil {
		return nil, names[f] > 1
	}
	files = map[string]bool{}
	for p, f := range m.files {
		rest, ok := strings.CutPrefix(p, from+"/")
		if !ok || strings.Contains("/"+rest, "/.") {
			continue
		}
		files[p] = true
		refused = refused || names[f] > 1
	}
	return files, refused
}
