package media_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// TestAnotherSpellingThatComesMeanwhile checks a colleague who creates a file whose name differs
// only in case from that of a file being uploaded, at a service that compares no versions. The service has one file,
// under the colleague's name, with the later content. The mount shows the same after the next refresh.
func TestAnotherSpellingThatComesMeanwhile(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"a new file": `cp ../new a`, "a rename": `cp ../new .part && mv .part a`} {
		for mode, options := range modesOf(t) {
			for _, again := range []bool{false, true} {
				t.Run(name+", "+mode+map[bool]string{true: ", mounted again"}[again], func(t *testing.T) {
					if !again { // a process that a parallel test forks holds the state's lock for a moment, which would fail the remount
						t.Parallel()
					}
					fixture := servicetest.Start(t)
					colleague, err := remote.New(remote.Options{BaseURL: fixture.URL, Username: fixture.Username, Password: fixture.Password})
					require.NoError(t, err)
					t.Cleanup(colleague.Close)
					m := newMountOn(t, fixture, append(slices.Clone(options), withoutMoves)...)
					m.sh(`echo new > ../new; ls`)
					release := m.proxy.Freeze(remote.UploadFile)
					ended := m.startScript(script)
					m.eventually(func() bool { return m.proxy.Count(remote.UploadFile) > 0 })
					up, err := colleague.UploadFile(t.Context(), 0, "A", bytesContent("theirs is longer\n"))
					require.NoError(t, err)
					require.NoError(t, m.store.Refresh(t.Context()))
					release()
					require.Empty(t, <-ended)
					require.Equal(t, map[string]string{"A": sum("new\n")}, m.atService())
					if again {
						m.remount()
					}
					require.NoError(t, m.store.Refresh(t.Context()))
					m.eventually(func() bool { return m.sh(`ls`) == "A" })
					require.Equal(t, "new", m.sh(`cat A`))
					require.Empty(t, m.store.Failed())

					// The mount shows the colleague's later changes.
					_, err = colleague.UploadFile(t.Context(), 0, "A", bytesContent("theirs, later\n"))
					require.NoError(t, err)
					require.NoError(t, m.store.Refresh(t.Context()))
					m.eventually(func() bool { return m.sh(`cat A`) == "theirs, later" })
					require.NoError(t, colleague.DeleteFile(t.Context(), up.FileID))
					require.NoError(t, m.store.Refresh(t.Context()))
					m.eventually(func() bool { return m.sh(`ls`) == "" })
				})
			}
		}
	}
}

// TestAnotherSpellingThatComesMeanwhileIsKept checks the same where the service compares versions: the name is not free.
func TestAnotherSpellingThatComesMeanwhileIsKept(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"a new file": `cp ../new a`, "a rename": `cp ../new .part && mv .part a`} {
		for mode, options := range modesOf(t) {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				fixture := servicetest.Start(t)
				m := newMountOn(t, fixture, options...)
				m.sh(`printf new > ../new; ls`)
				release := m.proxy.Freeze(remote.UploadFile)
				ended := m.startScript(script)
				m.eventually(func() bool { return m.proxy.Count(remote.UploadFile) > 0 })
				m.colleague(fixture)("A", "theirs")
				release()
				said := <-ended
				m.drained()
				require.Equal(t, map[string]string{"A": sum("theirs")}, m.atService())
				m.eventually(func() bool { return strings.HasPrefix(m.sh(`ls`), "A") })
				switch {
				case mode == "write-back":
					require.Empty(t, said)
				case name == "a rename":
					require.Contains(t, said, "mv: cannot") // mv looks for what exists, and has words of its own for EEXIST
					require.Equal(t, "new", m.sh(`cat .part`))
					return
				default:
					require.Contains(t, said, "File exists")
				}
				m.eventually(func() bool { return m.sh(`ls`) == "A" })
				require.Equal(t, "new", m.content(m.store.Failed()[0].Name))
			})
		}
	}
}
