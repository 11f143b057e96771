package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// TestAnotherSpellingThatComesMeanwhile checks a colleague who creates a file whose name differs
// only in case from that of a file being uploaded. The service has one file, under the colleague's
// name, with the later content. The mount shows the same after the next refresh.
func TestAnotherSpellingThatComesMeanwhile(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"a new file": `cp ../new a`, "a rename": `cp ../new .part && mv .part a`} {
		for mode, options := range modes {
			for _, again := range []bool{false, true} {
				t.Run(name+", "+mode+map[bool]string{true: ", mounted again"}[again], func(t *testing.T) {
					if !again { // a process that a parallel test forks holds the state's lock for a moment, which would fail the remount
						t.Parallel()
					}
					fixture := servicetest.Start(t)
					colleague, err := remote.New(remote.Options{BaseURL: fixture.URL, Username: fixture.Username, Password: fixture.Password})
					require.NoError(t, err)
					t.Cleanup(colleague.Close)
					m := newMountOn(t, fixture, options...)
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
