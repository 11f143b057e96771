package media

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The model maps paths to files, and knows what the service and failed/ must contain. It
// describes what a user sees, not how the store transfers content.

type modelFile struct {
	dir, name string // name "" when unlinked
	content   []byte
	pub       *string // content at the service under its name
	gen       int     // number of the last write
	sent      int     // number of the write that is published
	failed    int     // number of the write whose upload failed, -1 for none
	handles   int
	writers   int
}

func (f *modelFile) local() bool {
	return strings.HasPrefix(f.dir, ".") || strings.HasPrefix(f.name, ".")
}

func (f *modelFile) path() string {
	if f.dir == "" {
		return f.name
	}
	return f.dir + "/" + f.name
}

func (f *modelFile) unpublished() bool { return f.pub == nil || f.gen != f.sent }

type modelHandle struct {
	h     *Handle
	f     *modelFile
	write bool
	gen   int
}

type model struct {
	*fixture
	t       *rapid.T
	inos    map[string]Ino // of the directories
	files   map[string]*modelFile
	service map[string]string
	failed  map[string]string
	handles []*modelHandle
}

func TestStoreAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(memory(), "media-model-")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		m := &model{
			t: t, fixture: makeFixture(t, dir, deleting, moving), inos: map[string]Ino{"": Root},
			files: map[string]*modelFile{}, service: map[string]string{}, failed: map[string]string{},
		}
		defer func() { m.close() }()
		m.inos["d"] = m.mkdir(Root, "d")
		m.inos[".s"] = m.mkdir(Root, ".s")
		t.Repeat(map[string]func(*rapid.T){
			"":         m.check,
			"create":   m.create,
			"open":     m.open,
			"write":    m.write,
			"truncate": m.truncate,
			"read":     m.read,
			"flush":    m.flush,
			"release":  m.release,
			"rename":   m.rename,
			"unlink":   m.unlink,
			"setSize":  m.setSize,
			"refresh":  func(*rapid.T) { require.NoError(m.t, m.store.Refresh(ctx)) },
			"restart":  m.restart,
			"others":   m.others,
		})
	})
}

// memory returns a directory in memory, if there is one: the database syncs at each step, and
// this test is not about the disk.
func memory() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

var modelDirs = []string{"", "d", ".s"}
var modelNames = []string{"a", "A", "b", ".x", ".y"} // others also make "theirs"

func (m *model) place(t *rapid.T, label string) (dir, name string) {
	return rapid.SampledFrom(modelDirs).Draw(t, label+" dir"), rapid.SampledFrom(modelNames).Draw(t, label+" name")
}

// clashing returns the file of dir whose name differs from name only in case.
func (m *model) clashing(dir, name string) *modelFile {
	if strings.HasPrefix(dir, ".") || strings.HasPrefix(name, ".") {
		return nil
	}
	for _, f := range m.files {
		if f.dir == dir && f.name != name && strings.EqualFold(f.name, name) {
			return f
		}
	}
	return nil
}

func (m *model) create(t *rapid.T) {
	dir, name := m.place(t, "new")
	f := &modelFile{dir: dir, name: name, failed: -1, handles: 1, writers: 1}
	_, h, err := m.store.Create(m.inos[dir], name, New{Mode: 0o644, UID: Owner, GID: Owner})
	if m.files[f.path()] != nil || m.clashing(dir, name) != nil {
		require.True(t, Is(err, Exists), "%v", err)
		return
	}
	require.NoError(t, err)
	m.files[f.path()] = f
	m.handles = append(m.handles, &modelHandle{h: h, f: f, write: true})
}

func (m *model) anyFile(t *rapid.T) *modelFile {
	if len(m.files) == 0 {
		t.Skip("no file")
	}
	paths := make([]string, 0, len(m.files))
	for p := range m.files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return m.files[rapid.SampledFrom(paths).Draw(t, "file")]
}

func (m *model) anyHandle(t *rapid.T, write bool) *modelHandle {
	var some []*modelHandle
	for _, h := range m.handles {
		if h.write || !write {
			some = append(some, h)
		}
	}
	if len(some) == 0 {
		t.Skip("no handle")
	}
	return rapid.SampledFrom(some).Draw(t, "handle")
}

func (m *model) attr(f *modelFile) Attr {
	a, err := m.store.Lookup(ctx, m.inos[f.dir], f.name)
	require.NoError(m.t, err)
	return a
}

func (m *model) open(t *rapid.T) {
	f := m.anyFile(t)
	write := rapid.Bool().Draw(t, "write")
	h, err := m.store.Open(m.attr(f).Ino, write)
	require.NoError(t, err)
	f.handles++
	if write {
		f.writers++
	}
	m.handles = append(m.handles, &modelHandle{h: h, f: f, write: write})
}

func (m *model) write(t *rapid.T) {
	h := m.anyHandle(t, true)
	data := rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "data")
	off := rapid.IntRange(0, 30).Draw(t, "offset")
	_, err := h.h.WriteAt(data, int64(off))
	require.NoError(t, err)
	if end := off + len(data); end > len(h.f.content) {
		h.f.content = append(h.f.content, make([]byte, end-len(h.f.content))...)
	}
	copy(h.f.content[off:], data)
	h.wrote()
}

func (h *modelHandle) wrote() {
	h.f.gen++
	h.gen = h.f.gen
}

func (m *model) truncate(t *rapid.T) {
	h := m.anyHandle(t, true)
	size := rapid.IntRange(0, 30).Draw(t, "size")
	require.NoError(t, h.h.Truncate(int64(size)))
	if size != len(h.f.content) {
		h.f.resize(size)
		h.wrote()
	}
}

func (f *modelFile) resize(size int) {
	content := make([]byte, size)
	copy(content, f.content)
	f.content = content
}

// setSize is truncate(2) by path.
func (m *model) setSize(t *rapid.T) {
	f := m.anyFile(t)
	size := rapid.IntRange(0, 30).Draw(t, "size")
	require.NoError(t, m.store.SetSize(ctx, m.attr(f).Ino, int64(size)))
	if size == len(f.content) {
		return
	}
	f.resize(size)
	f.gen++
	if !f.local() && f.writers == 0 {
		m.upload(f)
	}
	m.settleUnless(f)
}

func (m *model) read(t *rapid.T) {
	h := m.anyHandle(t, false)
	if err := load(m.store, h.h); h.f.name == "" && (Is(err, NoContent) || Is(err, Damaged)) {
		return // removed or replaced at the service before the store read it
	} else {
		require.NoError(t, err)
	}
	got, err := io.ReadAll(io.NewSectionReader(readerAt{h.h}, 0, 1<<30))
	require.NoError(t, err)
	require.Equal(t, string(h.f.content), string(got))
}

// upload does what a successful upload does.
func (m *model) upload(f *modelFile) {
	content := string(f.content)
	f.pub, f.sent, f.failed = &content, f.gen, -1
	m.service[f.path()] = content
}

func (m *model) flush(t *rapid.T) {
	h := m.anyHandle(t, false)
	f := h.f
	uploads := m.fixture.service.count("UploadFile")
	sends := f.name != "" && !f.local() && h.gen > f.sent && len(f.content) > 0
	fails := sends && rapid.Bool().Draw(t, "fails")
	if fails {
		m.fixture.service.fail("UploadFile", errNo)
	}
	err := h.h.Flush(ctx)
	if fails {
		require.ErrorIs(t, err, errNo)
		f.failed = f.gen
	} else {
		require.NoError(t, err)
	}
	if sends && !fails {
		m.upload(f)
	}
	require.Equal(t, sends, m.fixture.service.count("UploadFile") == uploads+1)
}

func (m *model) release(t *rapid.T) {
	h := m.anyHandle(t, false)
	h.h.Release()
	m.handles = slices.DeleteFunc(m.handles, func(other *modelHandle) bool { return other == h })
	h.f.handles--
	if h.write {
		h.f.writers--
	}
	m.settleUnless(h.f)
}

// settleUnless finalizes a file unless it is open.
func (m *model) settleUnless(f *modelFile) {
	if f.handles > 0 || f.name == "" || f.local() || !f.unpublished() {
		return
	}
	if f.failed == f.gen {
		m.setAside(f)
		return
	}
	ino := m.attr(f).Ino
	m.eventually(func() bool {
		m.store.Mu.RLock()
		defer m.store.Mu.RUnlock()
		n := m.store.Nodes[ino]
		return !n.Queued() && !n.Written // sent, and its content stored where it belongs
	})
	m.upload(f)
}

func (m *model) setAside(f *modelFile) {
	m.failed[f.path()] = string(f.content)
	if f.pub == nil {
		delete(m.files, f.path())
		f.name = ""
		return
	}
	f.content = []byte(*f.pub)
	f.gen++
	f.sent, f.failed = f.gen, -1
}

func (m *model) rename(t *rapid.T) {
	f := m.anyFile(t)
	dir, name := m.place(t, "to")
	to := &modelFile{dir: dir, name: name}
	err := m.store.Rename(ctx, m.inos[f.dir], f.name, m.inos[dir], name, false, "")
	dst := m.files[to.path()]
	if dst == f {
		require.NoError(t, err)
		return
	}
	if other := m.clashing(dir, name); other != nil && other != f {
		require.True(t, Is(err, Exists), "%v", err)
		return
	}
	require.NoError(t, err)
	m.move(f, dst, to)
}

// move does what a successful rename does.
func (m *model) move(f, dst, to *modelFile) {
	local, target := to.local(), to.path()
	var inherited *string
	if dst != nil {
		inherited = dst.pub
		dst.name = ""
	}
	wasLocal, published := f.local(), f.pub != nil
	if !wasLocal && published {
		delete(m.service, f.path())
	}
	delete(m.files, f.path())
	f.dir, f.name = to.dir, to.name
	m.files[target] = f
	switch {
	case local:
		f.pub = nil
	case wasLocal:
		m.upload(f)
	case published:
		m.service[target] = *f.pub
	case inherited != nil:
		f.pub = inherited
		f.gen++ // its content differs from the service
		for _, h := range m.handles {
			if h.f == f && h.gen == f.gen-1 && h.gen > 0 {
				h.gen = f.gen
			}
		}
		if f.failed == f.gen-1 {
			f.failed = f.gen
		}
	}
}

func (m *model) unlink(t *rapid.T) {
	f := m.anyFile(t)
	require.NoError(t, m.store.Unlink(ctx, m.inos[f.dir], f.name))
	if f.pub != nil {
		delete(m.service, f.path())
	}
	delete(m.files, f.path())
	f.name = ""
}

// others changes the service without the mount, and refreshes the tree.
func (m *model) others(t *rapid.T) {
	dir := rapid.SampledFrom([]string{"", "d"}).Draw(t, "their dir")
	name := rapid.SampledFrom([]string{"a", "A", "b", "theirs"}).Draw(t, "their name")
	content := rapid.StringN(0, 30, 30).Draw(t, "their content")
	f := m.files[(&modelFile{dir: dir, name: name}).path()]
	if m.clashing(dir, name) != nil || f != nil && (f.pub == nil || f.handles > 0) {
		t.Skip("being written")
	}
	switch {
	case f == nil:
		f = &modelFile{dir: dir, name: name, failed: -1}
		m.files[f.path()] = f
		m.theirs(f, content)
	case rapid.Bool().Draw(t, "delete"):
		m.fixture.service.remove(f.path())
		delete(m.service, f.path())
		delete(m.files, f.path())
		f.name = ""
	default:
		m.theirs(f, content)
	}
	require.NoError(t, m.store.Refresh(ctx))
}

// theirs replaces a file's content at the service.
func (m *model) theirs(f *modelFile, content string) {
	m.fixture.service.set(m.attrOfDir(f.dir).ID, f.name, content)
	f.content = []byte(content)
	m.upload(f)
}

func (m *model) attrOfDir(dir string) Attr {
	a, err := m.store.Stat(m.inos[dir])
	require.NoError(m.t, err)
	return a
}

// restart ends the mount with files open, as a detached mount does.
func (m *model) restart(t *rapid.T) {
	for _, h := range m.handles {
		m.store.Complete(nodeOf(m.store, h.h)) // else failed/ gets what has come by now
	}
	m.reopen()
	m.handles = nil
	for _, f := range m.files {
		f.handles, f.writers = 0, 0
		if f.local() || !f.unpublished() {
			continue
		}
		same := f.pub != nil && *f.pub == string(f.content)
		switch {
		case same:
			f.sent = f.gen
		case f.pub == nil && len(f.content) == 0:
			delete(m.files, f.path()) // created, and empty
		default:
			m.setAside(f)
		}
	}
}

// check compares everything visible.
func (m *model) check(t *rapid.T) {
	require.NoError(t, m.store.check())
	for _, dir := range modelDirs {
		list, err := m.store.List(ctx, m.inos[dir])
		require.NoError(t, err)
		var got, want []string
		for _, e := range list.Entries {
			if e.Kind == File {
				got = append(got, e.Name)
			}
		}
		for _, f := range m.files {
			if f.dir == dir {
				want = append(want, f.name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		require.Equal(t, want, got, "in %q", dir)
	}
	for _, f := range m.files {
		a := m.attr(f)
		require.EqualValues(t, len(f.content), a.Size, f.path())
		require.Equal(t, f.local(), a.Where == Local, f.path())
	}
	require.Equal(t, m.service, m.fixture.service.all())
	m.checkFailed(t)
	m.checkRoom(t)
}

func (m *model) checkFailed(t *rapid.T) {
	failed := m.store.Failed()
	require.Len(t, failed, len(m.failed))
	for _, e := range failed {
		f, err := m.store.OpenFailed(e.Name)
		require.NoError(t, err)
		content, err := io.ReadAll(f)
		f.Close()
		require.NoError(t, err)
		require.Equal(t, m.failed[e.Path], string(content), e.Path)
	}
}

// checkRoom checks that the spool contains what it must, and that its space is counted
// exactly.
func (m *model) checkRoom(t *rapid.T) {
	if len(m.handles) > 0 {
		return
	}
	var want int64
	for _, f := range m.files {
		if f.local() {
			want += int64(len(f.content))
		}
	}
	for _, content := range m.failed {
		want += int64(len(content))
	}
	m.eventually(func() bool { return m.store.Status().SpoolBytes == want })
}
