package media_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote/testrun"
)

// checkEachName makes each check of a name send a GetTree to the service.
func checkEachName(o *media.Options) { o.StrictTTL = -time.Nanosecond }

// colleagueUploads makes a colleague upload a file.
func (m *mount) colleagueUploads(name, content string) {
	m.t.Helper()
	_, err := m.client.UploadFile(m.t.Context(), 0, name, bytesContent(content))
	require.NoError(m.t, err)
}

// TestANewerVersionIsNotDeleted checks that a removal fails if the user has not seen the
// newer version. Afterwards the mount shows that version, and the user can remove it.
func TestANewerVersionIsNotDeleted(t *testing.T) {
	t.Parallel()
	for script, left := range map[string]map[string]string{
		`rm f`:     {},
		`mv f g`:   {"g": sum("newer\n")},
		`mv f f~`:  {},
		`mv f d/f`: {"d/f": sum("newer\n")},
	} {
		for mode, options := range modesOf(t) {
			t.Run(script+", "+mode, func(t *testing.T) {
				t.Parallel()
				clock, passes := later()
				m := newMount(t, append(options, checkEachName, clock)...)
				m.sh(`mkdir d && echo old > f`)
				m.idle()
				m.colleagueUploads("f", "newer\n")
				require.Contains(t, m.fails(script), "Device or resource busy")
				require.Equal(t, map[string]string{"f": sum("newer\n")}, m.atService())
				m.eventually(func() bool { return m.sh(`cat f`) == "newer" })
				passes(5 * time.Second)
				m.sh(script)
				require.Equal(t, left, m.atService())
				require.Empty(t, m.store.Failed())
			})
		}
	}
}

// later gives a mount a clock that passes can set forward.
func later() (o func(*media.Options), passes func(time.Duration)) {
	passed := new(atomic.Int64)
	return func(o *media.Options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	}, func(d time.Duration) { passed.Add(int64(d)) }
}

// TestAChangeRepeatedAtOnceIsRefusedAgain checks programs that at once repeat what was refused, because a colleague has
// changed the file: nobody can have looked at that yet. A few seconds later it works, however often it was repeated.
func TestAChangeRepeatedAtOnceIsRefusedAgain(t *testing.T) {
	t.Parallel()
	for _, script := range []string{`rm -f f`, `mv -f f g`, `mv -f g f`, `mv -f .mine f`} {
		for mode, options := range map[string][]func(*media.Options){"compared": {}, "not compared": {withoutMoves}} {
			if mode == "not compared" && strings.Contains(script, " g") { // the service cannot do it
				continue
			}
			t.Run(script+", "+mode, func(t *testing.T) {
				t.Parallel()
				start, passed := time.Now(), new(atomic.Int64)
				stands := func(o *media.Options) { o.Now = func() time.Time { return start.Add(time.Duration(passed.Load())) } }
				m := newMount(t, append(options, deleting, checkEachName, stands)...)
				m.sh(`echo old > f; echo g > g; echo mine > .mine`)
				m.idle()
				m.colleagueUploads("f", "theirs\n")
				for range 3 {
					require.Contains(t, m.fails(script), "Device or resource busy")
					require.Equal(t, map[string]string{"f": sum("theirs\n"), "g": sum("g\n")}, m.atService())
					passed.Add(int64(2 * time.Second))
				}
				m.eventually(func() bool { return m.sh(`cat f`) == "theirs" })
				m.sh(script)
				require.NotEqual(t, map[string]string{"f": sum("theirs\n"), "g": sum("g\n")}, m.atService())
			})
		}
	}
}

// TestAFileThatMustBeNewIsLookedUp checks that programs that require a new name do not overwrite a file
// that a colleague has created since the mount read the tree. Where the service compares versions, and closes wait for it,
// nobody looks: the close fails.
func TestAFileThatMustBeNewIsLookedUp(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"noclobber":        `! (set -o noclobber; echo mine > f)`,
		"cp -n":            `cp -n ../mine f || :`,
		"mv -n of scratch": `mv -n .mine f || :; test -e .mine`,
		"mv -n of a file":  `mv -n old f || :; test -e old`,
		"python":           `! python3 -c 'open("f", "x")' 2> ../words && grep -q FileExistsError ../words`,
	} {
		for mode, options := range map[string][]func(*media.Options){"direct": {}, "write-back": {writeBack}, "direct, nothing offered": {withoutMoves}, "write-back, nothing offered": {writeBack, withoutMoves}} {
			if !testrun.OneWay(name, strings.HasPrefix(mode, "direct")) || name == "mv -n of a file" && mode == "write-back, nothing offered" { // which cannot do it
				continue
			}
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, append(options, deleting, checkEachName)...)
				m.sh(`echo mine > ../mine; echo mine > .mine; echo old > old; test ! -e f`)
				m.idle()
				m.colleagueUploads("f", "theirs\n")
				if late := atTheClose[name]; late != "" && mode == "direct" {
					require.Contains(t, m.fails(late), "Stale file handle")
					m.eventually(func() bool { return len(m.store.Failed()) == 1 })
					require.Equal(t, "mine\n", m.content(m.store.Failed()[0].Name))
				} else {
					m.sh(script)
				}
				require.Equal(t, map[string]string{"f": sum("theirs\n"), "old": sum("old\n")}, m.atService())
				m.eventually(func() bool { return m.sh(`cat f`) == "theirs" })
			})
		}
	}
}

// atTheClose are the same gestures of programs that open what must be new.
var atTheClose = map[string]string{
	"noclobber": `set -o noclobber; cat ../mine > f`,
	"cp -n":     `cp -n ../mine f`,
	"python":    `python3 -c 'with open("f", "x") as f: f.write("mine\n")'`,
}

// TestAFileThatMustBeNewIsQueuedWithoutTheService checks that a file is queued even if the mount cannot
// ask the service whether its name is new.
func TestAFileThatMustBeNewIsQueuedWithoutTheService(t *testing.T) {
	t.Parallel()
	m := newMount(t, writeBack, checkEachName)
	m.sh(`ls; echo one > ../one; echo two > .two`)
	m.proxy.Down()
	m.sh(`cp ../one one && mv .two two && cat one two`)
	m.proxy.Up()
	m.store.RetryNow()
	require.Equal(t, map[string]string{"one": sum("one\n"), "two": sum("two\n")}, m.atService())
}

// TestMvReplacesNothingThatItRevealed checks mv, whose rename that must not replace shows what a colleague has put at the
// new name, and which then tries one that does.
func TestMvReplacesNothingThatItRevealed(t *testing.T) {
	t.Parallel()
	for _, script := range []string{`mv .mine f`, `mv old f`, `mv -f old f`} {
		for mode, options := range map[string][]func(*media.Options){"direct": {}, "write-back": {writeBack}, "direct, nothing offered": {withoutMoves}, "write-back, nothing offered": {writeBack, withoutMoves}} {
			if mode == "write-back, nothing offered" && strings.Contains(script, "old") { // it cannot do that
				continue
			}
			t.Run(script+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, append(options, deleting, checkEachName)...)
				m.sh(`echo mine > .mine; echo old > old; test ! -e f`)
				m.drained()
				m.colleagueUploads("f", "theirs\n")
				m.fails(script)
				require.Equal(t, map[string]string{"f": sum("theirs\n"), "old": sum("old\n")}, m.atService())
				m.eventually(func() bool { return m.sh(`cat f old`) == "theirs\nold" })
				m.sh(`test -e .mine`)
				require.Empty(t, m.store.Failed())
			})
		}
	}
}
