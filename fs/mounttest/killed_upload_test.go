package mounttest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAKillWithinAnUploadReplacesNoColleagues checks queued content whose upload a kill cut: what a colleague put there
// before the next mount is not its own, and stays.
func TestAKillWithinAnUploadReplacesNoColleagues(t *testing.T) {
	t.Parallel()
	for what, first := range map[string]string{"new file": `true`, "change": `echo one > media/f; "$PAPERFS" wait .`} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, "--write-back")
			m.sh(first)
			m.proxy.Reset()
			m.proxy.Freeze(remote.UploadFile)
			m.sh(`echo mine > media/f`)
			m.waitForRequest(remote.UploadFile)
			m.crash()
			m.proxy.Down()
			_, err := m.client().UploadFile(t.Context(), 0, "f", bytesOf("theirs\n"))
			require.NoError(t, err)
			m.proxy.Heal()
			m.proxy.Up()
			m.start("--write-back")
			m.sh(`"$PAPERFS" wait . > /dev/null 2>&1 || test $? = 19`)
			assert.Equal(t, map[string]string{"f": sum("theirs\n")}, m.atService())
			assert.Equal(t, "mine", m.sh(`cat .paperfs/failed/f`))
		})
	}
}

// TestAKillWithinAnUploadIsNoConflictWithItself checks content that was queued behind an upload whose answer a kill cut:
// what that upload left at the service is the mount's own, and is replaced.
func TestAKillWithinAnUploadIsNoConflictWithItself(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`echo one > media/f; "$PAPERFS" wait .`)
	stored, crashed := make(chan struct{}), make(chan struct{})
	defer close(crashed)
	m.proxy.Alter(remote.UploadFile, func(*http.Response) {
		stored <- struct{}{}
		<-crashed
	})
	m.sh(`echo two > media/f`)
	<-stored
	m.sh(`echo three > media/f`)
	m.crash()
	m.proxy.Heal()
	m.start("--write-back")
	m.sh(`"$PAPERFS" wait .`)
	assert.Equal(t, map[string]string{"f": sum("three\n")}, m.atService())
}
