package media

import (
	"bytes"
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/spool"
	"paperfs/cache/state"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// everything is the name of script among plays.
const everything = "everything"

// plays are the scripts of the process that is killed.
var plays = map[string]func(writeBack bool) []act{
	everything: script,
	"overwrite": func(bool) []act {
		return []act{write("x", "one"), drain, write("x", "two")}
	},
	"write":  func(bool) []act { return []act{write("x", "one"), drain} },
	"rename": func(bool) []act { return []act{write(".part", "one"), rename(".part", "x")} },
	"rename over another": func(bool) []act {
		return []act{write("x", "older"), drain, write(".part", "one"), rename(".part", "x")}
	},
	"move": func(bool) []act { return []act{moves, write("a", "one"), drain, rename("a", "x")} },
	"move over another": func(bool) []act {
		return []act{moves, write("x", "older"), write("a", "one"), drain, rename("a", "x")}
	},
	"move over another of a file with queued changes": func(bool) []act {
		return []act{moves, write("x", "older"), write("a", "one"), drain, leave, write("a", "two"),
			{"the service is back", func(p *player) { p.service.away.Store(false) }, noEffect}, rename("a", "x"), drain}
	},
	"move of a file with queued changes": func(bool) []act {
		return []act{moves, write("a", "one"), drain, leave, write("a", "two"), rename("a", "x"), drain}
	},
	"move of a directory": func(bool) []act {
		return []act{moves, mkdir("d"), write("d/sent", "one"), drain, leave, write("d/queued", "two"), rename("d", "x"), drain}
	},
	"move of a directory over a queued one": func(bool) []act {
		return []act{moves, mkdir("d"), write("d/sent", "one"), drain, leave, write("d/queued", "two"), write("d/sent", "three"), mkdir("x"), rename("d", "x"), drain}
	},
	"retry": func(bool) []act {
		return []act{write("bad", "one"), drain, {"retry bad as x", func(p *player) {
			require.NoError(p.t, p.store.RetryFailed(ctx, "bad", p.ino(""), "x", false))
		}, noEffect}}
	},
	"rename over what is queued": func(bool) []act {
		return []act{write(".part", "longer"), {"sync", func(p *player) { require.NoError(p.t, p.store.Sync()) }, noEffect}, rename(".part", "x")}
	},
	"append": func(bool) []act {
		return []act{write("x", "one"), drain, {"append to x", func(p *player) {
			h, err := p.store.Open(p.ino("x"), true)
			require.NoError(p.t, err)
			_, err = h.Append([]byte(", and more"))
			require.NoError(p.t, err)
			require.NoError(p.t, h.Flush(ctx))
			h.Release()
		}, noEffect}, drain}
	},
	"write over what is being sent": func(bool) []act {
		return []act{judges, write("x", "one"), drain, {"append to x", func(p *player) {
			appended := make(chan bool)
			p.service.between = sync.OnceFunc(func() {
				<-appended
				p.write("x", "newer")
			})
			h, err := p.store.Open(p.ino("x"), true)
			require.NoError(p.t, err)
			_, err = h.Append([]byte(", and more"))
			require.NoError(p.t, err)
			require.NoError(p.t, h.Flush(ctx))
			h.Release()
			close(appended)
		}, noEffect}, drain}
	},
	"write over what is queued": func(bool) []act {
		return []act{write("x", "one"), drain, leave, write("x", "two"), write("x", "three")}
	},
	"append to what is queued": func(bool) []act {
		return []act{leave, write("x", "whole, and more"), {"append to x", func(p *player) {
			h, err := p.store.Open(p.ino("x"), true)
			require.NoError(p.t, err)
			_, err = h.Append([]byte("!"))
			require.NoError(p.t, err)
		}, noEffect}}
	},
}

// moves makes the service offer moves.
var moves = act{"the service offers moves", func(p *player) { p.service.moves.Store(true) }, noEffect}

// judges makes the service compare versions.
var judges = act{"the service compares versions", func(p *player) { p.service.judges.Store(true) }, noEffect}

// cutProcess returns a process that will be killed.
func cutProcess(t *testing.T) *process {
	f := servicetest.Start(t)
	client, err := remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	_, err = client.CreateDirectory(t.Context(), 0, "top")
	require.NoError(t, err)
	home := t.TempDir()
	return &process{stage: &stage{t: t, fixture: f, client: client}, top: "top",
		dirs: state.Dirs{State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}}
}

// killed runs a play until the process is killed, before the last act is done, at pass NUMBER
// of a step, "NUMBER STEP".
func (p *process) killed(play string, writeBack bool, killAt string) {
	p.begun, p.done, p.writeBack = -1, -1, writeBack
	p.run(killAt, play, 0)
	require.NotEqual(p.t, -1, p.begun)
	require.Less(p.t, p.done, len(plays[play](writeBack))-1)
}

// next returns the store of the next run, in which the interrupted upload of x takes effect
// late: after the next upload of x.
func (p *process) next(late string) (*Store, *lateService) {
	st, err := state.Open(p.dirs, "/mnt")
	require.NoError(p.t, err)
	p.t.Cleanup(func() { require.NoError(p.t, st.Close()) })
	service := &lateService{Service: p.client, content: late, judges: p.judges}
	store, err := Open(Options{Service: service, State: st, Reserve: -1, Linger: -1, Debounce: -1, AllowDelete: true})
	require.NoError(p.t, err)
	p.t.Cleanup(func() { require.NoError(p.t, store.Close()) })
	return store, service
}

// queue leaves x in the queue with content whose only upload failed.
func (p *process) queue(content string) {
	st, err := state.Open(p.dirs, "/mnt")
	require.NoError(p.t, err)
	away := &moody{Service: p.client}
	away.away.Store(true)
	store, err := Open(Options{Service: away, State: st, Reserve: -1, Linger: -1, Debounce: -1, WriteBack: true,
		Pause: func(int, error) time.Duration { return time.Hour }})
	require.NoError(p.t, err)
	top, err := store.Find(ctx, p.top)
	require.NoError(p.t, err)
	_, h, err := store.Create(top.Ino, "x", New{Mode: 0o644, UID: Owner, GID: Owner})
	require.NoError(p.t, err)
	_, err = h.WriteAt([]byte(content), 0)
	require.NoError(p.t, err)
	require.NoError(p.t, h.Flush(ctx))
	h.Release()
	require.Eventually(p.t, func() bool {
		q := store.Queue()
		return len(q) == 1 && q[0].Attempts == 1 && !q[0].Sending
	}, testrun.Patience(), time.Millisecond)
	require.NoError(p.t, store.Close())
	require.NoError(p.t, st.Close())
}

// at returns the digest of the service's content of name; false if the service has none.
func (p *process) at(name string) (sha256 string, there bool) {
	tree, err := p.client.GetTree(ctx)
	require.NoError(p.t, err)
	for _, f := range tree.Files {
		if f.Name == name {
			return f.SHA256, true
		}
	}
	return "", false
}

// put renames a new file to x, as mv does, and mv succeeds.
func (p *process) put(store *Store, content string) {
	top, err := store.Find(ctx, p.top)
	require.NoError(p.t, err)
	_, h, err := store.Create(top.Ino, ".new", New{Mode: 0o644, UID: Owner, GID: Owner})
	require.NoError(p.t, err)
	_, err = h.WriteAt([]byte(content), 0)
	require.NoError(p.t, err)
	require.NoError(p.t, h.Flush(ctx))
	h.Release()
	require.NoError(p.t, store.Rename(ctx, top.Ino, ".new", top.Ino, "x", false, ""))
}

// content returns the local content of name; false if there is none.
func (p *process) content(store *Store, name string) (string, bool) {
	a, err := store.Find(ctx, p.top+"/"+name)
	if Is(err, NotFound) {
		return "", false
	}
	require.NoError(p.t, err)
	h, err := store.Open(a.Ino, false)
	require.NoError(p.t, err)
	defer h.Release()
	require.NoError(p.t, load(store, h))
	content, err := io.ReadAll(io.NewSectionReader(readerAt{h}, 0, 1<<20))
	require.NoError(p.t, err)
	return string(content), true
}

// lateService uploads content to x once, after the first upload of x, unless it is empty. It compares no
// versions, unless judges is set: then that upload requires that there is no x.
type lateService struct {
	Service
	content string
	uploads atomic.Int64 // of x
	judges  bool
	refused atomic.Bool // the late upload
}

func (s *lateService) Offers() (o remote.Offers, known bool) {
	o, known = s.Service.Offers()
	o.Versions = o.Versions && s.judges
	return o, known
}

func (s *lateService) UploadFile(ctx context.Context, parent int64, name string, c remote.Content) (remote.Upload, error) {
	up, err := s.Service.UploadFile(ctx, parent, name, c)
	if err != nil || name != "x" || s.uploads.Add(1) != 1 || s.content == "" {
		return up, err
	}
	under := new(remote.Condition)
	if s.judges {
		under.If = remote.NoFile
	}
	_, err = s.Service.UploadFile(remote.Under(ctx, under), parent, name, text(s.content))
	if s.judges && cause.Conflict(err) {
		s.refused.Store(true)
		err = nil
	}
	return up, err
}

// text is content to upload.
type text string

func (t text) Size() int64 { return int64(len(t)) }

func (t text) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte(t))), nil }

// unfinished returns the sizes of the unfinished spool copies that a process left.
func (p *process) unfinished() (sizes []int64) {
	found, err := filepath.Glob(path.Join(p.dirs.State, "*", "*"+spool.UnfinishedEnd))
	require.NoError(p.t, err)
	for _, name := range found {
		info, err := os.Stat(name)
		require.NoError(p.t, err)
		sizes = append(sizes, info.Size())
	}
	return sizes
}
