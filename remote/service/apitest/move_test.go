package apitest

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/generate"
)

// places returns id and place of all media files and directories, as in "file 3 d/a".
func (s *server) places() []string {
	s.t.Helper()
	var all, path []string
	d := xml.NewDecoder(strings.NewReader(s.must(remote.GetTree).data))
	for {
		token, err := d.Token()
		if err != nil {
			return all
		}
		switch e := token.(type) {
		case xml.StartElement:
			path = append(path, e.Attr[1].Value)
			all = append(all, e.Name.Local+" "+e.Attr[0].Value+" "+strings.Join(path, "/"))
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

func (s *server) move(op *remote.Operation, id, parent, name string, more ...string) reply {
	s.t.Helper()
	return s.call(op, append([]string{op.Params[0], id, "parentID", parent, "name", name}, more...)...)
}

func TestMoveFile(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	for _, content := range []string{"small", strings.Repeat("large", 20_000)} {
		a, b := s.upload("0", "a", content), s.upload("1", "B", "b")
		address := s.versionedAddress("a")
		version := s.versions(remote.GetTree, "version")["a"]
		move := func(id, parent, name string, more ...string) reply {
			return s.move(remote.MoveFile, id, parent, name, more...)
		}

		require.Equal(t, version, s.conflicts(move(a, "1", "c", "ifVersion", "1"), a))
		r := s.succeeds(move(a, "1", "c", "ifVersion", version))
		require.Equal(t, a, r.element(t, "fileid"))
		moved := r.element(t, "version")
		require.Equal(t, moved, s.versions(remote.GetTree, "version")["c"])
		require.Equal(t, r.data, s.succeeds(move(a, "1", "c", "ifVersion", version)).data, "it stands")
		require.Equal(t, content, s.get(address).body, "the old address leads to it")
		require.Equal(t, remote.Success, move(a, "1", "C").code, "a name that differs in case from its own is free")
		require.Equal(t, []string{"directory 1 d", "file " + b + " d/B", "file " + a + " d/C"}, s.places())

		for _, wrong := range [][]string{{a, "1", "b"}, {a, "0", "d"}, {a, "0", "d", "replace", "true"}, {a, "9", "x"}, {"999", "0", "x"}, {a, "0", "x/y"}, {a, "0", "x", "replace", "perhaps"}} {
			require.Equal(t, remote.Failure, move(wrong[0], wrong[1], wrong[2], wrong[3:]...).code, wrong)
		}
		s.conflicts(move("999", "0", "x", "ifVersion", "1"), "")

		version = s.versions(remote.GetTree, "version")["C"]
		over := s.succeeds(move(a, "1", "b", "replace", "true", "ifVersion", version))
		require.Equal(t, b, over.element(t, "fileid"))
		require.Equal(t, over.element(t, "version"), s.versions(remote.GetTree, "version")["B"])
		require.Equal(t, over.data, s.succeeds(move(a, "1", "b", "replace", "true", "ifVersion", version)).data, "it stands")
		require.Equal(t, over.data, s.succeeds(move(a, "1", "b", "replaceVersion", "1")).data, "it stands")
		require.Equal(t, []string{"directory 1 d", "file " + b + " d/B"}, s.places())
		require.Equal(t, content, s.get(s.versionedAddress("B")).body)
		require.Equal(t, int64(len(content)), s.used().MediaBytes)
		s.reopen()
		require.Equal(t, content, s.get(s.versionedAddress("B")).body)
		require.Equal(t, b, s.succeeds(move(b, "0", "B")).element(t, "fileid"))
		require.Equal(t, remote.Failure, move(a, "1", "b", "replace", "true").code, "somebody moved it on: a success would say that it is there")
		require.Equal(t, b, s.succeeds(move(b, "1", "B")).element(t, "fileid"))
		s.upload("1", "b", "other")
		s.conflicts(move(a, "1", "b", "replace", "true", "ifVersion", version), "")
		s.must(remote.DeleteFile, "fileID", b)
	}
	s.keeps(0)
}

// TestMoveFileOverAVersion checks a move that names the version that it replaces, by each way to call it.
func TestMoveFileOverAVersion(t *testing.T) {
	t.Parallel()
	s := start(t)
	call := map[string]func(parameters ...string) reply{
		"GET":  func(p ...string) reply { return s.by(http.MethodGet, remote.MoveFile, p...) },
		"POST": func(p ...string) reply { return s.by(http.MethodPost, remote.MoveFile, p...) },
	}
	for way, move := range call {
		a, b := s.upload("0", "a", way), s.upload("0", "b", "b"+way)
		version := s.versions(remote.GetTree, "version")["b"]
		s.upload("0", "b", "theirs")
		theirs := s.versions(remote.GetTree, "version")["b"]
		over := func(version string, more ...string) reply {
			return move(append([]string{"fileID", a, "parentID", "0", "name", "b", "replaceVersion", version}, more...)...)
		}
		require.Equal(t, theirs, s.conflicts(over(version), b))
		require.Equal(t, theirs, s.conflicts(over(version, "replace", "true"), b))
		require.Equal(t, remote.Failure, over("true").code)
		require.Equal(t, []string{"file " + a + " a", "file " + b + " b"}, s.places())
		require.Equal(t, b, s.succeeds(over(theirs)).element(t, "fileid"))
		require.Equal(t, "theirs", s.content(http.MethodPost, b, theirs).body, "what it replaced is kept")
		require.Equal(t, "replaced file /media/b", s.deleted()[0].String())
		require.Equal(t, []string{"file " + b + " b"}, s.places())
		free := s.upload("0", "a", way)
		require.Equal(t, free, s.succeeds(move("fileID", free, "parentID", "0", "name", "c", "replaceVersion", theirs)).element(t, "fileid"), "nothing is replaced")
		s.must(remote.DeleteFile, "fileID", b)
		s.must(remote.DeleteFile, "fileID", free)
	}
}

// TestOneOfManyMovesReplacesItsVersion checks that replaceVersion is judged within the change.
func TestOneOfManyMovesReplacesItsVersion(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.upload("0", "target", "target")
	for round := range 3 {
		version := s.versions(remote.GetTree, "version")["target"]
		var won atomic.Int32
		var all sync.WaitGroup
		for i := range 4 {
			id := s.upload("0", fmt.Sprint("source ", round, i), "source")
			all.Go(func() {
				switch r := s.move(remote.MoveFile, id, "0", "target", "replaceVersion", version); r.code {
				case remote.Success:
					won.Add(1)
				case remote.VersionConflict:
				default:
					t.Error(r.body)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, won.Load())
	}
}

// versionedAddress returns the address of a file.
func (s *server) versionedAddress(name string) string {
	s.t.Helper()
	return s.must(remote.GetTree).attributes(s.t, "name", "url")[name]
}

func TestMoveDirectory(t *testing.T) {
	t.Parallel()
	s := start(t)
	for i, place := range []string{"0 a", "1 b", "2 c", "0 empty", "0 full"} {
		parent, name, _ := strings.Cut(place, " ")
		require.Equal(t, fmt.Sprint(i+1), s.must(remote.CreateDirectory, "parentID", parent, "name", name).element(t, "directoryid"))
	}
	s.upload("3", "deep", "x")
	s.upload("5", "f", "x")
	s.upload("0", "file", "x")
	move := func(id, parent, name string, more ...string) reply {
		return s.move(remote.MoveDirectory, id, parent, name, more...)
	}
	for _, wrong := range [][]string{{"1", "1", "x"}, {"1", "3", "x"}, {"1", "0", "empty"}, {"1", "0", "full", "replace", "true"}, {"1", "0", "file", "replace", "true"}, {"9", "0", "x"}, {"0", "1", "x"}, {"1", "9", "x"}} {
		require.Equal(t, remote.Failure, move(wrong[0], wrong[1], wrong[2], wrong[3:]...).code, wrong)
	}
	version := s.versions(remote.GetTree, "version")["b"]
	s.conflicts(move("2", "0", "B", "ifVersion", "1"), "2")
	s.conflicts(move("9", "0", "B", "ifVersion", "1"), "")
	r := s.succeeds(move("2", "0", "EMPTY", "replace", "true", "ifVersion", version))
	require.Equal(t, "2", r.element(t, "directoryid"))
	require.Equal(t, r.data, s.succeeds(move("2", "0", "EMPTY", "ifVersion", version)).data, "it stands")
	require.Equal(t, r.element(t, "version"), s.versions(remote.GetTree, "version")["EMPTY"])
	require.ElementsMatch(t, []string{"directory 1 a", "directory 2 EMPTY", "directory 3 EMPTY/c", "directory 5 full", "file 1 EMPTY/c/deep", "file 2 full/f", "file 3 file"}, s.places())
	require.Equal(t, remote.Success, move("2", "0", "Empty").code, "a name that differs in case from its own is free")
}

func TestRenamePaper(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, p := s.category("1", "c"), s.paper("1", "p")
	s.paper(c, "taken")
	rename := func(id, name string, more ...string) reply {
		return s.call(remote.RenamePaper, append([]string{"paperID", id, "name", name}, more...)...)
	}
	version := s.versions(remote.GetAllPapers, "version")["p"]
	s.conflicts(rename(p, "New name", "ifVersion", "1"), p)
	r := s.succeeds(rename(p, " New name ", "destinationParentID", c, "ifVersion", version))
	require.Equal(t, r.data, s.succeeds(rename(p, "New name", "destinationParentID", c, "ifVersion", version)).data, "it stands")
	require.Equal(t, r.element(t, "version"), s.versions(remote.GetAllPapers, "version")["New name"])
	s.succeeds(rename(c, "Category"))
	require.Equal(t, `<category id="1" name="default" url="/"><category id="2" name="Category" url="/c/"><paper id="3" name="New name" url="/c/p/" /><paper id="4" name="taken" url="/c/taken/" /></category></category>`, s.tree())
	found := s.must(remote.SearchPapersWithHiearchyByName, "query", "new NAME", "categoryID", "1", "xmlOptions", "")
	require.Contains(t, found.data, `name="New name"`)
	for code, wrong := range map[remote.Code][][]string{
		remote.Failure:           {{"1", "x"}, {"1", "x", "destinationParentID", c}, {p, ""}, {c, "x", "destinationParentID", c}, {c, "x", "destinationParentID", p}, {p, "x", "destinationParentID", "no"}},
		remote.PaperDoesNotExist: {{"9", "x"}, {p, "x", "destinationParentID", "9"}},
	} {
		for _, w := range wrong {
			require.Equal(t, code, rename(w[0], w[1], w[2:]...).code, w)
		}
	}
	s.conflicts(rename("9", "x", "ifVersion", "1"), "")
	s.paper("1", "taken")
	require.Equal(t, remote.Failure, rename("4", "x", "destinationParentID", "1").code, "the address is taken")
}

// BenchmarkMoveOfManyFiles moves a directory of 10,000 files: what lies in it costs nothing.
func BenchmarkMoveOfManyFiles(b *testing.B) {
	s := start(b)
	s.place().Generate(s.t, generate.Spec{Media: 10_000, Depth: 1, Seed: 1})
	from := s.must(remote.GetTree).attribute(b, "directoryid")
	to := s.must(remote.CreateDirectory, "parentID", "0", "name", "to").element(b, "directoryid")
	for i := 0; b.Loop(); i++ {
		s.succeeds(s.move(remote.MoveDirectory, from, to, fmt.Sprint("moved", i)))
	}
}

func TestNoMovesWithoutExtensions(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.NoExtended = true })
	require.Equal(t, http.StatusInternalServerError, s.move(remote.MoveFile, "1", "0", "x").status)
}

// TestAnUploadTakesUpTheIDOfADeletedFile checks programs that remove a file and then write it again.
func TestAnUploadTakesUpTheIDOfADeletedFile(t *testing.T) {
	t.Parallel()
	now := clock
	var mu sync.Mutex
	s := start(t, func(o *service.Options) {
		o.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	})
	pass := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	id := s.upload("0", "a", "1")
	remove := func() { s.must(remote.DeleteFile, "fileID", id) }
	remove()
	require.NotEqual(t, id, s.upload("0", "b", "1"))
	require.NotEqual(t, id, s.upload("1", "a", "1"))
	pass(10 * time.Minute)
	require.Equal(t, id, s.upload("0", "A", "2"))
	require.Equal(t, []string{"directory 1 d", "file 3 d/a", "file " + id + " A", "file 2 b"}, s.places())
	remove()
	s.reopen()
	require.Equal(t, id, s.upload("0", "a", strings.Repeat("3", 100_000)))
	s.succeeds(s.move(remote.MoveFile, id, "0", "c"))
	fresh := s.upload("0", "a", "4")
	require.NotEqual(t, id, fresh, "the id is in use")
	s.must(remote.DeleteFile, "fileID", fresh)
	pass(10*time.Minute + time.Second)
	require.NotEqual(t, fresh, s.upload("0", "a", "5"), "too late")
	s.succeeds(s.move(remote.MoveFile, "2", "0", "c", "replace", "true"))
	require.NotEqual(t, "2", s.upload("0", "b", "6"), "it was not deleted, but moved")
}
