package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

func TestWriteBackQueuesAndSendsBehind(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	release := m.proxy.Freeze(remote.CreateDirectory) // its files wait for it
	m.sh(`mkdir media/d && for i in 1 2 3; do echo "$i" > media/d/$i; done && cat media/d/2 && mv media/d/3 media/d/three`)
	release()
	m.sh(`"$PAPERFS" wait .`)
	assert.Equal(t, map[string]string{"d/1": sum("1\n"), "d/2": sum("2\n"), "d/three": sum("3\n")}, m.atService())
}

func TestWriteBackGoesOnAfterTheServiceWasAwayAndAfterARemount(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	m.proxy.Down()
	m.sh(`echo one > media/one && cat media/one`)
	m.sh(`"$PAPERFS" status .`)
	m.crash()
	m.proxy.Up()
	m.start("--write-back")
	m.sh(`"$PAPERFS" retry . && "$PAPERFS" wait . && cat media/one`)
	assert.Equal(t, map[string]string{"one": sum("one\n")}, m.atService())
}

func TestWhatIsRefusedOrDiscardedIsInFailed(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.sh(`echo one > media/one`)
	said := m.sh(`"$PAPERFS" wait . 2>&1 || test $? = 19`)
	assert.Contains(t, said, "/media/one, now .paperfs/failed/one: ")
	assert.Contains(t, said, "No room.")
	assert.Contains(t, m.sh(`cat .paperfs/uploads`), "No room.")
	m.fails(`test -e media/one`)
	m.fails(`"$PAPERFS" retry media/one`)
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry media/one && cat media/one`)
	assert.Equal(t, map[string]string{"one": sum("one\n")}, m.atService())

	m.unavailable(remote.UploadFile) // discard would wait for the answer to a completely sent upload
	m.sh(`echo two > media/two && "$PAPERFS" discard media/two`)
	m.proxy.Heal()
	assert.Equal(t, "two", m.sh(`ls .paperfs/failed`))
	m.sh(`"$PAPERFS" discard media/two && test -z "$(ls .paperfs/failed)"`)
}
