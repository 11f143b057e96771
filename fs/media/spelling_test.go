package media_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// TestAnotherSpellingThatComesMeanwhileIsKept checks a colleague who creates a file whose name differs
// only in case from that of a file being uploaded: the service compares versions, and the name is not free.
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
