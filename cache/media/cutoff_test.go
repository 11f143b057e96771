package media

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/remote"
)

// cutUploads are uploads of x that a kill can interrupt: the play, and the number of the
// upload.
var cutUploads = map[string]struct {
	writeBack bool
	killAt    string
}{
	"overwrite":           {false, "2 about to be sent"},
	"write":               {true, "1 about to be sent"},
	"rename":              {false, "1 about to be sent"},
	"rename over another": {false, "2 about to be sent"},
	"retry":               {false, "1 about to be sent"},
}

// TestAnUploadThatTheEndOfTheProcessCutIsChecked checks that the next successful upload to the
// name of an interrupted one is verified in the tree, and repeated if the service has other
// content, because the interrupted upload may take effect late.
func TestAnUploadThatTheEndOfTheProcessCutIsChecked(t *testing.T) {
	t.Parallel()
	for play, c := range cutUploads {
		t.Run(play, func(t *testing.T) {
			p := cutProcess(t)
			p.killed(play, c.writeBack, c.killAt)
			store, service := p.next("late")
			want := "one"
			if !c.writeBack {
				want = "another"
				p.put(store, want)
			}
			require.NoError(t, store.Drain(ctx)) // sends the queue
			p.stands(store, want)
			require.EqualValues(t, 2, service.uploads.Load())
		})
	}
}

// TestACutUploadHasNoLateEffectWhereVersionsAreCompared checks that the service refuses a cut upload that comes after
// the next one to its name, so that nothing is verified or repeated.
func TestACutUploadHasNoLateEffectWhereVersionsAreCompared(t *testing.T) {
	t.Parallel()
	for play, c := range cutUploads {
		t.Run(play, func(t *testing.T) {
			p := cutProcess(t)
			p.judges = true
			p.killed(play, c.writeBack, c.killAt)
			store, service := p.next("late")
			want := "one"
			if !c.writeBack {
				want = "another"
				p.put(store, want)
			}
			require.NoError(t, store.Drain(ctx))
			p.stands(store, want)
			require.True(t, service.refused.Load())
			require.EqualValues(t, 1, service.uploads.Load())
			top, err := store.Find(ctx, p.top)
			require.NoError(t, err)
			require.False(t, store.unsureAt(journal.NameAt(top.ID, "x")))
		})
	}
}

// TestUploadsThatAKillCutsAreToldAsTheTableSays checks each row of the table in doc.go: what
// the killed process left, and what the next run does with it.
func TestUploadsThatAKillCutsAreToldAsTheTableSays(t *testing.T) {
	t.Parallel()
	plays := map[string]string{"close": "overwrite", "queue": "write", "rename": "rename", "retry": "retry"}
	for _, row := range tableRows(t, "upload", "asked-by", "waits", "stopped-by", "ended-by", "noted-by", "then") {
		sender, told, then := row[0], row[5], row[6]
		t.Run(sender, func(t *testing.T) {
			p := cutProcess(t)
			c := cutUploads[plays[sender]]
			p.killed(plays[sender], c.writeBack, c.killAt)
			require.Equal(t, told == "note", p.noted())
			store, _ := p.next("late")
			top, err := store.Find(ctx, p.top)
			require.NoError(t, err)
			if then != "queued" {
				require.True(t, store.unsureAt(journal.NameAt(top.ID, "x")))
			}
			require.NoError(t, store.Drain(ctx))
			switch then {
			case "failed":
				require.Len(t, store.Failed(), 1)
			case "queued":
				p.stands(store, "one")
			case "scratch":
				part, err := store.Find(ctx, p.top+"/.part")
				require.NoError(t, err)
				require.Equal(t, Local, part.Where)
			default:
				require.Fail(t, then)
			}
			require.Equal(t, then == "failed", len(store.Failed()) > 0)
		})
	}
}

// noted reports whether a process left an upload note.
func (p *process) noted() bool {
	db, err := sql.Open("sqlite", filepath.Join(p.dirs.State, "state.db"))
	require.NoError(p.t, err)
	defer db.Close()
	var n int
	require.NoError(p.t, db.QueryRow("SELECT count(*) FROM media_unknown").Scan(&n))
	return n > 0
}

// TestALateEffectOfTheSameSizeIsNoticed has the interrupted upload of a rename take effect
// late: it replaces content of the same size that the next rename uploaded.
func TestALateEffectOfTheSameSizeIsNoticed(t *testing.T) {
	t.Parallel()
	p := cutProcess(t)
	p.killed("rename", false, "1 about to be sent")
	store, service := p.next("one")
	p.put(store, "two")
	p.stands(store, "two")
	require.EqualValues(t, 2, service.uploads.Load())
	p.put(store, "six")
	p.stands(store, "six")
	require.EqualValues(t, 3, service.uploads.Load(), "the content at the service is verified")
}

// TestARenameOverWhatIsQueuedThatTheEndCut checks a next run in which the queued content of
// the target is sent first, and then the interrupted upload of the rename takes effect.
func TestARenameOverWhatIsQueuedThatTheEndCut(t *testing.T) {
	t.Parallel()
	p := cutProcess(t)
	p.queue("one")
	p.least = len("longer") // so that x stays queued
	p.killed("rename over what is queued", false, "1 about to be sent")
	store, service := p.next("longer")
	require.NoError(t, store.Await(ctx))
	store.RetryNow()
	require.NoError(t, store.Drain(ctx))
	p.stands(store, "one")
	require.EqualValues(t, 2, service.uploads.Load())
	part, err := store.Find(ctx, "top/.part")
	require.NoError(t, err, "the rename was not acknowledged")
	require.EqualValues(t, len("longer"), part.Size)
}

// TestTheEndOfARenameIsNoted checks that a completed rename leaves no note.
func TestTheEndOfARenameIsNoted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	noted := func() int {
		underWay, _ := f.store.Unsure()
		require.Zero(t, underWay)
		return f.notes()
	}
	_, err := f.create(Root, ".a", "one")
	require.NoError(t, err)
	require.NoError(t, f.rename(Root, ".a", Root, "a"))
	require.Zero(t, noted())
	_, err = f.create(Root, ".b", "two")
	require.NoError(t, err)
	f.service.fail("UploadFile", errNo)
	require.Error(t, f.rename(Root, ".b", Root, "b"))
	require.Zero(t, noted(), "the outcome of the upload is known")
	f.service.fail("UploadFile", &remote.Error{Op: "UploadFile", Kind: remote.Broken, Ambiguous: true})
	require.Error(t, f.rename(Root, ".b", Root, "b"))
	require.Equal(t, 1, noted())
	require.NoError(t, f.rename(Root, ".b", Root, "b"))
	require.Zero(t, noted())
	_, unknown := f.store.Unsure()
	require.Zero(t, unknown)
}

// notes returns how many notes of uploads the next run would find.
func (f *fixture) notes() (n int) {
	require.NoError(f.t, f.store.Sync())
	require.NoError(f.t, f.state.DB().QueryRow("SELECT count(*) FROM media_unknown").Scan(&n))
	return n
}

// stands checks that x has the acknowledged content, and that no outcome is unknown.
func (p *process) stands(store *Store, content string) {
	sha256, there := p.at("x")
	require.True(p.t, there)
	require.Equal(p.t, sum([]byte(content)), sha256)
	x, err := store.Find(ctx, p.top+"/x")
	require.NoError(p.t, err)
	require.Equal(p.t, Published, x.Where)
	require.Equal(p.t, sha256, x.SHA256.String())
	store.Mu.RLock()
	defer store.Mu.RUnlock()
	_, unknown := store.Unsure()
	require.Zero(p.t, unknown)
}

// TestKilledWhileASpoolIsCopied checks that the next run removes the unfinished copy of a
// spool and uses the original.
func TestKilledWhileASpoolIsCopied(t *testing.T) {
	t.Parallel()
	p := cutProcess(t)
	p.killed("append to what is queued", true, "2 spool half copied")
	require.Equal(t, []int64{8}, p.unfinished())
	store, _ := p.next("")
	require.Empty(t, p.unfinished())
	content, found := p.content(store, "x")
	require.True(t, found)
	require.Equal(t, "whole, and more", content)
	require.NoError(t, store.Drain(ctx))
	left, err := os.ReadDir(store.Spools.Path)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestQueuedContentStaysWhenTheServiceMovesItsFile moves a file with queued content at the
// service to a name that the mount cannot show.
func TestQueuedContentStaysWhenTheServiceMovesItsFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	f.drain()
	open := f.service.hold("UploadFile")
	require.NoError(t, f.overwrite(a.Ino, "two"))
	<-f.service.entered
	f.service.mu.Lock()
	f.service.files[f.store.Nodes[a.Ino].Pub.ID].name = "not/shown"
	f.service.mu.Unlock()
	require.NoError(t, f.store.Refresh(ctx))
	require.Equal(t, []string{"a"}, shownNames(t, f, Root))
	open()
	f.drain()
	f.published("a", "two")
	content, err := f.read(a.Ino)
	require.NoError(t, err)
	require.Equal(t, "two", content)
	require.Empty(t, f.store.Failed())
}

// unsureAt reports whether the outcome of the last upload to a name is unknown.
func (s *Store) unsureAt(at journal.ServiceName) bool {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	return s.UnsureLocked(at)
}
