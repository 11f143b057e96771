package media_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote/service/kit/servicetest"
)

// TestADirectoryOfOthersUnderAFilesNameIsAConflict checks content for a name where a colleague has made a directory that the
// mount does not show yet.
func TestADirectoryOfOthersUnderAFilesNameIsAConflict(t *testing.T) {
	t.Parallel()
	for mode, options := range modes {
		for _, in := range []string{"", "d/"} {
			for way, script := range map[string]string{"cp": `cp ../mine `, "written": `printf mine > `} {
				t.Run(mode+", "+way+" "+in+"f", func(t *testing.T) {
					t.Parallel()
					m := newMount(t, options...)
					m.sh(`ls; mkdir d; printf mine > ../mine`)
					m.drained()
					_, err := m.client.CreateDirectory(t.Context(), map[string]int64{"d/": m.ids()["d/"]}[in], "f")
					require.NoError(t, err)
					said, err := m.command("cd media && " + script + in + "f").CombinedOutput()
					if mode != "write-back" && way == "cp" {
						require.Error(t, err)
						require.Contains(t, string(said), "Stale file handle")
					}
					m.eventually(func() bool { return len(m.store.Failed()) == 1 })
					require.Equal(t, "mine", m.content(m.store.Failed()[0].Name))
					last, told := m.failures.Last("media/" + in + "f")
					require.True(t, told, "%v", m.failures.Events())
					require.Contains(t, last.Message, "somebody else has made a directory of this name")
					m.eventually(func() bool { return m.sh(`stat -c %F `+in+`f || :`) == "directory" })
				})
			}
		}
	}
}

// TestContentWhoseNameIsADirectoryIsPublishedBeside is the same where conflicts are.
func TestContentWhoseNameIsADirectoryIsPublishedBeside(t *testing.T) {
	t.Parallel()
	for mode, options := range modes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, append(slices.Clone(options), func(o *media.Options) { o.CopyBeside = true })...)
			m.sh(`ls; printf mine > ../mine`)
			_, err := m.client.CreateDirectory(t.Context(), 0, "f")
			require.NoError(t, err)
			m.sh(`cp ../mine f`)
			m.eventually(func() bool { return m.sh(`stat -c %F f || :`) == "directory" })
			m.drained()
			require.Equal(t, "mine", m.sh(`cat 'f (conflict '*`))
			require.Len(t, m.atService(), 1)
			require.Empty(t, m.store.Failed())
		})
	}
}

// TestAFileOfOthersUnderADirectorysNameIsAConflict checks a directory that the service does not have yet, or not any more.
func TestAFileOfOthersUnderADirectorysNameIsAConflict(t *testing.T) {
	t.Parallel()
	const made = "somebody else has made a file of this name"
	t.Run("queued", func(t *testing.T) {
		t.Parallel()
		fixture := servicetest.Start(t)
		m := newMountOn(t, fixture, writeBack)
		m.sh(`ls`)
		m.proxy.Down()
		m.sh(`mkdir f; printf mine > f/x`)
		m.colleague(fixture)("f", "theirs")
		m.proxy.Up()
		m.store.RetryNow()
		m.eventually(func() bool { return len(m.store.Failed()) == 1 && m.sh(`cat f || :`) == "theirs" })
		require.Equal(t, "mine", m.content(m.store.Failed()[0].Name))
		require.Contains(t, m.failures.Events()[len(m.failures.Events())-1].Message, made)
	})
	t.Run("deleted", func(t *testing.T) {
		t.Parallel()
		m := newMount(t)
		goOn := m.paused(`mkdir f; perl -e 'open F, ">", "f/x" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`)
		there, err := m.client.GetTree(t.Context())
		require.NoError(t, err)
		require.NoError(t, m.client.DeleteDirectory(t.Context(), there.Dirs[0].ID))
		m.theirs("f", "theirs")
		require.NoError(t, m.store.Refresh(t.Context()))
		said, err := goOn()
		require.Error(t, err)
		require.Contains(t, said, "Stale file handle")
		m.eventually(func() bool { return len(m.store.Failed()) == 1 && m.sh(`cat f || :`) == "theirs" })
		require.Equal(t, "mine", m.content(m.store.Failed()[0].Name))
		last, told := m.failures.Last("media/f/x")
		require.True(t, told, "%v", m.failures.Events())
		require.Contains(t, last.Message, made)
	})
}

// TestADirectoryIsNotMovedBelowWhatOthersMovedIntoIt checks a move that the service alone can refuse, and what the refusal
// costs.
func TestADirectoryIsNotMovedBelowWhatOthersMovedIntoIt(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir a b; echo x > a/f; ls a b`)
	ids := m.ids()
	require.NoError(t, m.client.MoveDirectory(t.Context(), ids["b/"], ids["a/"], "b", false))
	require.Equal(t, ops("MoveDirectory", "GetTree"), m.cost(`! mv a b/ 2> ../said; ls > ../listed`))
	require.Regexp(t, "subdirectory of itself|Invalid argument", m.sh(`cat ../said`))
	require.Equal(t, "a/b\na/f", m.sh(`ls -d a/*`))
}

// TestProgramsThatSayThatANewNameIsTaken checks programs that make a name which must be new, where a colleague has made it and the
// mount does not show that yet: nothing is replaced, the content is kept, and all but a shell say so.
func TestProgramsThatSayThatANewNameIsTaken(t *testing.T) {
	t.Parallel()
	for script, said := range map[string]string{
		`cp -n ../mine f`: "Stale file handle",
		`python3 -c 'with open("f", "x") as f: f.write("mine")'`: "Stale file handle",
		`set -o noclobber; printf mine > f`:                      "",
		`sh -c 'set -C; printf mine > f'`:                        "",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls; printf mine > ../mine`)
			m.theirs("f", "theirs")
			out, err := m.command("cd media && " + script).CombinedOutput()
			require.Equal(t, said == "", err == nil, "%s", out)
			require.Contains(t, string(out), said)
			m.eventually(func() bool { return len(m.store.Failed()) == 1 })
			require.Equal(t, "mine", m.content(m.store.Failed()[0].Name))
			require.Equal(t, map[string]string{"f": sum("theirs")}, m.atService())
			_, told := m.failures.Last("media/f")
			require.True(t, told)
		})
	}
}
