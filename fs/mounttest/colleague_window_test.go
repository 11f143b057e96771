package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/testrun"
)

// TestRetryOverReplacesWhatAColleagueUploaded checks what a program meets whose file a colleague
// uploads while it has it open, and that retry --over publishes its content.
func TestRetryOverReplacesWhatAColleagueUploaded(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo one > media/f; cat media/f
		perl -e 'open F, ">>", "media/f" or die; syswrite F, "mine\n"; open O, ">", "$ENV{HOME}/open"; until (-e "$ENV{HOME}/theirs") { select undef, undef, undef, 0.02 }
			close F and die; print "$!\n"' > "$HOME/said" 2>&1 &`)
	m.eventually(`test -e "$HOME/open"`)
	testrun.Must(m.client().UploadFile(t.Context(), 0, "f", bytesOf("theirs\n")))(t)
	m.sh(`"$PAPERFS" refresh media; touch "$HOME/theirs"`)
	m.eventually(`test -s "$HOME/said" && test -e .paperfs/failed/f`)
	assert.Equal(t, "Stale file handle theirs", m.sh(`echo $(cat "$HOME/said" media/f)`))
	assert.Contains(t, m.sh(`"$PAPERFS" why media/f; cat .paperfs/errors`), "somebody else has changed it on the service")
	assert.Contains(t, m.fails(`"$PAPERFS" retry media/f`), "paperfs retry --over")
	m.sh(`"$PAPERFS" retry --over media/f`)
	assert.Equal(t, map[string]string{"f": sum("one\nmine\n")}, m.atService())
	assert.Empty(t, m.sh(`ls .paperfs/failed`))
}
