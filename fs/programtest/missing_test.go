package programtest

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAMissingProgramSkipsATest checks each way in which a shell misses one, and that another failure is one.
func TestAMissingProgramSkipsATest(t *testing.T) {
	t.Setenv("PAPERFS_TEST_STRICT", "")
	for script, missing := range map[string]bool{
		`no-such-program`:                                     true,
		`exec no-such-program`:                                true,
		`true; x=$(no-such-program) || exit 1`:                true,
		`echo it is not found: command; exit 1`:               false,
		`no-such-program || :; echo has gone on`:              false,
		`cat /no-such-file; echo file: not found >&2; exit 1`: false,
	} {
		for _, shell := range []string{"bash", "sh"} {
			skipped := false
			t.Run(shell+" "+script, func(t *testing.T) {
				defer func() { skipped = t.Skipped() }()
				out, err := exec.Command(shell, "-c", script).CombinedOutput()
				RequirePrograms(t, err, string(out))
			})
			assert.Equal(t, missing, skipped, "%s: %s", shell, script)
		}
	}
}
