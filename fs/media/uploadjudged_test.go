package media_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// colleague returns another client of the mount's service, which the faults of the proxy do not concern.
func (m *mount) colleague(fixture *servicetest.Fixture) (uploads func(name, content string)) {
	c, err := remote.New(remote.Options{BaseURL: fixture.URL, Username: fixture.Username, Password: fixture.Password})
	require.NoError(m.t, err)
	m.t.Cleanup(c.Close)
	return func(name, content string) {
		_, err := c.UploadFile(m.t.Context(), 0, name, bytesContent(content))
		require.NoError(m.t, err)
	}
}

// window is a moment at which a colleague uploads f. It runs script meanwhile, and returns what that says.
type window func(m *mount, script string, uploads func(name, content string)) (said string)

// windows are the moments at which no look at the tree helps: the one before the program has opened the file counts as
// well, because the tree of these mounts is recent enough for an hour.
var windows = map[string]window{
	"before the open": func(m *mount, script string, uploads func(name, content string)) string {
		uploads("f", "theirs")
		return <-m.startScript(script)
	},
	"in flight": func(m *mount, script string, uploads func(name, content string)) string {
		release := m.proxy.Freeze(remote.UploadFile)
		m.proxy.Reset()
		ended := m.startScript(script)
		m.eventually(func() bool { return m.proxy.Count(remote.UploadFile) > 0 })
		uploads("f", "theirs")
		release()
		return <-ended
	},
	"after a lost answer": func(m *mount, script string, uploads func(name, content string)) string {
		once := sync.OnceFunc(func() { uploads("f", "theirs") })
		m.proxy.Alter(remote.UploadFile, func(*http.Response) { once() })
		m.proxy.Cut(remote.UploadFile, 1, 0)
		return <-m.startScript(script)
	},
	"in the queue, or waiting for the service": func(m *mount, script string, uploads func(name, content string)) string {
		m.proxy.Down()
		ended := m.startScript(script)
		m.eventually(func() bool { return !m.store.Idle() })
		uploads("f", "theirs")
		m.proxy.Up()
		m.store.RetryNow()
		return <-ended
	},
}

// TestInNoWindowIsAColleaguesVersionOverwritten checks each way to put a new file or another version of a file at a
// name where a colleague puts one in the meantime, without any look at the tree before.
func TestInNoWindowIsAColleaguesVersionOverwritten(t *testing.T) {
	t.Parallel()
	for when, act := range windows {
		for what, script := range map[string]string{"cp": `cp ../mine f`, "cp over a file": `cp ../mine f`, "a rename": `mv -f .mine f`, "a rename over a file": `mv -f .mine f`} {
			for mode, options := range modesOf(t) {
				if !testrun.OneWay(when, strings.HasSuffix(what, "over a file")) {
					continue
				}
				t.Run(when+", "+what+", "+mode, func(t *testing.T) {
					t.Parallel()
					fixture := servicetest.Start(t)
					m := newMountOn(t, fixture, options...)
					m.sh(`ls; printf mine > ../mine; printf mine > .mine`)
					if strings.HasSuffix(what, "over a file") {
						m.sh(`printf old > f`)
					}
					m.drained()
					said := act(m, script, m.colleague(fixture))
					m.drained()
					require.Equal(t, map[string]string{"f": sum("theirs")}, m.atService(), said)
					m.eventually(func() bool { return m.sh(`cat f`) == "theirs" })
					at := "media/f"
					switch renamed := strings.HasPrefix(what, "a rename"); {
					case mode == "write-back":
						require.Empty(t, said)
						m.eventually(func() bool { return len(m.store.Failed()) == 1 })
						require.Equal(t, "mine", m.content(m.store.Failed()[0].Name))
					case renamed:
						require.Contains(t, said, "busy")
						require.Equal(t, "mine", m.sh(`cat .mine`))
						at = "media/.mine"
					default:
						require.Contains(t, said, "Stale file handle")
						m.eventually(func() bool { return len(m.store.Failed()) == 1 })
						require.Equal(t, "mine", m.content(m.store.Failed()[0].Name))
					}
					last, told := m.failures.Last(at)
					require.True(t, told, "%v", m.failures.Events())
					require.Contains(t, last.Message, "somebody else has")
				})
			}
		}
	}
}

// TestAMoveReplacesNoVersionThatTheMountDoesNotShow checks mv of one published file over another, which a colleague
// replaces in the meantime, without any look at the tree before.
func TestAMoveReplacesNoVersionThatTheMountDoesNotShow(t *testing.T) {
	t.Parallel()
	for when, act := range map[string]window{
		"before it": windows["before the open"],
		"in flight": func(m *mount, script string, uploads func(name, content string)) string {
			release := m.proxy.Freeze(remote.MoveFile)
			m.proxy.Reset()
			ended := m.startScript(script)
			m.eventually(func() bool { return m.proxy.Count(remote.MoveFile) > 0 })
			uploads("f", "theirs")
			release()
			return <-ended
		},
	} {
		for mode, options := range modesOf(t) {
			t.Run(when+", "+mode, func(t *testing.T) {
				t.Parallel()
				fixture := servicetest.Start(t)
				m := newMountOn(t, fixture, options...)
				m.sh(`printf old > f; printf mine > g`)
				m.drained()
				require.Contains(t, act(m, `mv -f g f`, m.colleague(fixture)), "busy")
				require.Equal(t, map[string]string{"f": sum("theirs"), "g": sum("mine")}, m.atService())
				m.eventually(func() bool { return m.sh(`cat f; printf ' '; cat g`) == "theirs mine" }) // the kernel is told behind the answer
				last, told := m.failures.Last("media/g")
				require.True(t, told, "%v", m.failures.Events())
				require.Contains(t, last.Message, `"f": somebody else has`)
			})
		}
	}
}

// TestAMoveOverAFileIsOneRequest checks that what compares the replaced version costs nothing, and that the version that a
// colleague has removed, or put back, is no conflict.
func TestAMoveOverAFileIsOneRequest(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`printf old > f; for n in 1 2 3; do printf $n > $n; done`)
	require.Equal(t, ops("MoveFile"), m.cost(`mv -f 1 f`))
	m.colleagueUploads("f", "theirs")
	m.colleagueUploads("f", "1")
	require.Equal(t, ops("MoveFile", "GetTree", "MoveFile"), m.cost(`mv -f 2 f`))
	require.NoError(t, m.client.DeleteFile(t.Context(), m.idOf("f")))
	require.Equal(t, ops("MoveFile"), m.cost(`mv -f 3 f`))
	require.Equal(t, map[string]string{"f": sum("3")}, m.atService())
}

// TestBetweenOpenAndCloseNobodyLooks checks the programs of TestAColleaguesVersionIsNeverOverwrittenUnseen where
// the tree counts as recent: the service alone sees the conflict.
func TestBetweenOpenAndCloseNobodyLooks(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"a new name":           `perl -e 'open F, ">", "f" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`,
		"emptied and written":  `printf old > f; perl -e 'open F, ">", "f" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`,
		"its own, and another": `printf old > f; printf older > f; perl -e 'open F, ">", "f" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls`)
			goOn := m.paused(script)
			m.theirs("f", "theirs")
			said, err := goOn()
			require.Error(t, err)
			require.Contains(t, said, "Stale file handle")
			m.eventually(func() bool { return len(m.store.Failed()) == 1 })
			require.Equal(t, "mine", m.content(m.store.Failed()[0].Name))
			require.Equal(t, map[string]string{"f": sum("theirs")}, m.atService())
			require.Equal(t, "theirs", m.sh(`cat f`))
		})
	}
}

// forgetful loses the answers to uploads.
type forgetful struct {
	media.Service
	loses atomic.Bool
}

func (s *forgetful) UploadFile(ctx context.Context, parent int64, name string, content remote.Content) (remote.Upload, error) {
	up, err := s.Service.UploadFile(ctx, parent, name, content)
	if err == nil && s.loses.Load() {
		return remote.Upload{}, &remote.Error{Op: upload, Kind: remote.Unreachable, Ambiguous: true}
	}
	return up, err
}

// TestItsOwnUploadIsNoConflict checks that content whose answer was lost is no colleague's: neither for its repetition nor
// for newer content. What a colleague has put in its place since is.
func TestItsOwnUploadIsNoConflict(t *testing.T) {
	t.Parallel()
	for before, make := range map[string]string{"new": `ls`, "overwritten": `printf old > f`} {
		for _, replaced := range []bool{false, true} {
			t.Run(before+map[bool]string{true: ", replaced"}[replaced], func(t *testing.T) {
				t.Parallel()
				service := new(forgetful)
				m := newMount(t, func(o *media.Options) { service.Service, o.Service = o.Service, service })
				m.sh(`printf one > ../one; ` + make)
				service.loses.Store(true)
				m.fails(`cp ../one f`)
				service.loses.Store(false)
				m.eventually(func() bool { return len(m.store.Failed()) == 1 })
				require.Equal(t, map[string]string{"f": sum("one")}, m.atService(), "only the answer was lost")
				if before == "overwritten" { // a tree that comes between the open and the first write has another inode
					m.eventually(func() bool { return m.sh(`cat f`) == "one" })
				}
				goOn, want := m.paused(`perl -e 'open F, ">", "f" or die; syswrite F, "two"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`), "two"
				if replaced {
					m.theirs("f", "theirs")
					want = "theirs"
				}
				said, err := goOn()
				if replaced {
					require.Error(t, err)
					require.Contains(t, said, "Stale file handle")
				} else {
					require.NoError(t, err, said)
				}
				require.Equal(t, map[string]string{"f": sum(want)}, m.atService())
				m.eventually(func() bool { return m.sh(`cat f`) == want })
			})
		}
	}
}

// TestAVersionThatOthersPutBackIsNoConflict checks a version that others have replaced, deleted, moved or put back: content replaces it,
// or follows it, as where the mount looks at the tree.
func TestAVersionThatOthersPutBackIsNoConflict(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act   func(m *mount)
		files map[string]string
	}{
		"put back": {func(m *mount) { m.theirs("f", "theirs"); m.theirs("f", "old") }, map[string]string{"f": "mine"}},
		"deleted":  {func(m *mount) { require.NoError(m.t, m.client.DeleteFile(m.t.Context(), m.idOf("f"))) }, map[string]string{"f": "mine"}},
		"moved": {func(m *mount) {
			_, err := m.client.MoveFile(m.t.Context(), m.idOf("f"), 0, "g", remote.NoFile)
			require.NoError(m.t, err)
		}, map[string]string{"g": "mine"}},
		"the same": {func(m *mount) { m.theirs("f", "mine") }, map[string]string{"f": "mine"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			goOn := m.paused(`printf old > f; perl -e 'open F, ">", "f" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`)
			c.act(m)
			said, err := goOn()
			require.NoError(t, err, said)
			require.Equal(t, sums(c.files), m.atService())
			require.Empty(t, m.store.Failed())
			require.Empty(t, m.failures.Events())
			m.checkShownAll()
		})
	}
}

// TestWhatOthersPutBackIsChangedAsIfTheyHadNot removes and moves files, and moves one over another, that others have replaced
// and put back: what a person has seen is there, by another version that the mount does not know.
func TestWhatOthersPutBackIsChangedAsIfTheyHadNot(t *testing.T) {
	t.Parallel()
	m := newMount(t, deleting)
	m.sh(`for f in a b c d; do printf $f > $f; done`)
	for _, name := range []string{"a", "b", "c", "d"} {
		m.theirs(name, "theirs")
		m.theirs(name, name)
	}
	m.sh(`rm a; mv b e; mv c d`)
	require.Equal(t, sums(map[string]string{"d": "c", "e": "b"}), m.atService())
	require.Empty(t, m.failures.Events())
	m.checkShownAll()
}

// idOf returns the service's id of a file of the root.
func (m *mount) idOf(name string) int64 {
	m.t.Helper()
	tree, err := m.client.GetTree(m.t.Context())
	require.NoError(m.t, err)
	i := slices.IndexFunc(tree.Files, func(f remote.MediaFile) bool { return f.Parent == 0 && f.Name == name })
	require.GreaterOrEqual(m.t, i, 0)
	return tree.Files[i].ID
}

// TestAFileIsOneRequest checks what copies cost where the service compares versions, although each look at the tree would
// cost a request.
func TestAFileIsOneRequest(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, append(slices.Clone(options), checkEachName)...)
			m.sh(`ls; mkdir -p ../src/sub; for f in a b sub/c; do echo $f > ../src/$f; done; touch -d 2020-01-02 ../src/a ../src/b ../src/sub/c`)
			cost := func(script string) []string {
				asked := m.cost(script)
				if mode == "write-back" { // whose closes cannot tell that a name is taken
					asked = slices.DeleteFunc(asked, func(op string) bool { return op == "GetTree" })
				}
				slices.Sort(asked)
				return asked
			}
			folder := ops("CreateDirectory", "CreateDirectory", upload, upload, upload)
			require.Equal(t, ops(upload), cost(`cp ../src/a a`))
			require.Equal(t, ops(upload), cost(`cp ../src/b a`))
			require.Equal(t, ops(upload), cost(`echo more > a`))
			require.Equal(t, folder, cost(`cp -r ../src copy`))
			require.Equal(t, folder, cost(`rsync -a ../src/ synced/`))
			require.Equal(t, ops(upload), cost(`touch ../src/a; rsync -a ../src/ synced/`))
			require.Equal(t, folder, cost(`tar -C .. -cf ../src.tar src && tar xf ../src.tar`))
			require.Equal(t, ops(upload), cost(`mv ../src/b b`))
			require.Equal(t, ops(upload), cost(`cp ../src/a .part && mv .part b`))
			require.Empty(t, m.failures.Events())
		})
	}
}

// TestARetryReplacesNothingUnseen checks that an entry of failed/ replaces what the mount shows, and nothing else.
func TestARetryReplacesNothingUnseen(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.refuse()
	m.fails(`printf mine > ../mine; cp ../mine f`)
	m.eventually(func() bool { return len(m.store.Failed()) == 1 })
	m.proxy.Heal()
	m.theirs("f", "theirs")
	retry := func(noReplace bool) error {
		return m.store.RetryFailed(t.Context(), m.store.Failed()[0].Name, media.Root, "f", noReplace)
	}
	require.True(t, media.Is(retry(true), media.Exists))
	require.True(t, media.Is(retry(false), media.Newer))
	require.Equal(t, map[string]string{"f": sum("theirs")}, m.atService())
	require.Equal(t, "theirs", m.sh(`cat f`))
	require.NoError(t, retry(false), "it is shown now")
	require.Equal(t, map[string]string{"f": sum("mine")}, m.atService())
}
