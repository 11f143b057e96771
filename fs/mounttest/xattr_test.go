package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestExtendedAttributesOfOthersAreLeftBehind checks that cp and mv into the mount succeed without a
// file's extended attributes, as into any file system that has none, with and without --xattrs.
func TestExtendedAttributesOfOthersAreLeftBehind(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "setfattr")
	for _, flags := range [][]string{nil, {"--xattrs"}} {
		m := newMount(t, flags...)
		m.sh(`cd "$HOME"; echo text > f; setfattr -n user.origin -v elsewhere f`)
		m.sh(`cp -a "$HOME/f" media/copied; mv "$HOME/f" media/moved`)
		m.fails(`setfattr -n user.origin -v here media/copied`)
		m.fails(`setfattr -n user.origin -v here papers`)
		require.Equal(t, sum("text\n"), m.atService()["copied"])
		require.Equal(t, sum("text\n"), m.atService()["moved"])
	}
}
