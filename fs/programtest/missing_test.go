package programtest

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAMissingProgramSkipsATest checks both ways in which bash misses one, and that another failure is one.
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
		skipped := false
		t.Run(script, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			out, err := exec.Command("bash", "-c", script).CombinedOutput()
			RequirePrograms(t, err, string(out))
		})
		assert.Equal(t, missing, skipped, script)
	}
}
