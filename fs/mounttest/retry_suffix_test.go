package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestRetryTakesNoSuffixOffAUsersName checks that a failed file whose name ends as those of older and
// damaged PDFs do is sent under that name, and that retry says what it replaces.
func TestRetryTakesNoSuffixOffAUsersName(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`for f in Prices "Prices (older)"; do echo one > "media/$f"; done`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`for f in "Prices (older)" "Prices (damaged)"; do echo two > "media/$f"; done; false`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 2`)
	m.proxy.Heal()
	assert.Empty(t, m.sh(`"$PAPERFS" retry "media/Prices (damaged)"`), "it replaces nothing")
	assert.Contains(t, m.sh(`"$PAPERFS" retry "media/Prices (older)"`), m.dir+"/media/Prices (older) is replaced")
	assert.Equal(t, map[string]string{"Prices": sum("one\n"), "Prices (older)": sum("two\n"), "Prices (damaged)": sum("two\n")}, m.atService())
}

// TestFailedFilesWithTheLongestName checks that two failed files with one name of 255 bytes can both
// be listed, read and sent again.
func TestFailedFilesWithTheLongestName(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	name := "x" + strings.Repeat("é", 127)
	m.sh(`mkdir media/a media/b media/c`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`for d in a b c; do echo $d > media/$d/` + name + `; done; false`)
	m.eventually(`test "$(cat .paperfs/failed/* | sort | tr -d '\n')" = abc`)
	m.proxy.Heal()
	m.sh(`ls -l .paperfs/failed; f=$(cd .paperfs/failed; grep -lx b *); mv ".paperfs/failed/$f" media/b/` + name + `
		"$PAPERFS" retry .paperfs/failed; test -z "$(ls .paperfs/failed)"`)
	assert.Equal(t, map[string]string{"a/" + name: sum("a\n"), "b/" + name: sum("b\n"), "c/" + name: sum("c\n")}, m.atService())
}
