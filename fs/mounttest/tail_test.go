package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAProgramThatFollowsANameSeesChanges checks that a program that has a file open and follows its name
// sees content that a colleague appends or replaces, although the kernel answers each look-up: the
// mount refreshes an old tree.
func TestAProgramThatFollowsANameSeesChanges(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--tree-ttl", "1s")
	colleague := func(content string) {
		testrun.Must(m.client().UploadFile(t.Context(), 0, "log", bytesOf(content)))(t)
	}
	colleague("one\n")
	m.sh(`"$PAPERFS" refresh media`)
	m.sh(`cat media/log`)
	m.sh(`setsid tail -s 0.05 --max-unchanged-stats=1 -n +1 -F media/log > ../tail 2>&1 < /dev/null & echo $! > ../pid`)
	t.Cleanup(func() { _, _ = m.run("bash", `kill $(cat ../pid)`) })
	m.eventually(`grep -qx one ../tail`)
	colleague("one\ntwo\n")
	m.eventually(`grep -qx two ../tail`)
	colleague("one\ntwo\n" + strings.Repeat("three\n", 100_000))
	m.eventually(`test "$(grep -cx three ../tail)" = 100000`)
	colleague("four\n") // shorter
	m.eventually(`grep -qx four ../tail`)
	require.NotContains(t, m.sh(`tr '\0' N < ../tail | grep N || true`), "N")
}
