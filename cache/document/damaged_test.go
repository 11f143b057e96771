package document

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// ends has the service end a job, and the mount told of it.
func (f *fixture) ends(t *testing.T, guid string, status remote.JobStatus) {
	t.Helper()
	f.service.jobs[guid] = status
	_, _, err := f.JobTold(t.Context(), 12, guid, status)
	require.NoError(t, err)
}

// sends sends a PDF for the paper 12, whose job is the nth.
func (f *fixture) sends(t *testing.T, content string, n int) {
	t.Helper()
	f.service.guid = guidOf(n)
	_, err := f.Process(t.Context(), 12, text(content), time.Time{})
	require.NoError(t, err)
}

// TestADamagedPDFIsNotBesideThePagesOfOthers checks that a damaged PDF from here is set aside where others have made the pages
// of its paper, before or after it, whether or not an older one from here was good.
func TestADamagedPDFIsNotBesideThePagesOfOthers(t *testing.T) {
	const others = "00000000-0000-0000-0000-0000000000ff"
	for _, steps := range [][]string{{"others", "damaged"}, {"damaged", "others"}, {"others", "remount", "damaged"}, {"damaged", "remount", "others"}, {"untold", "damaged"}} {
		for _, older := range []bool{false, true} {
			if older && steps[0] == "untold" {
				continue // the pages may be those of the older one
			}
			t.Run(fmt.Sprint(steps, older), func(t *testing.T) {
				f, aside := newFixture(t), []string(nil)
				damaged := func(_ int64, pdf Source, _ string) error {
					aside = append(aside, pdf.SHA256)
					return nil
				}
				f.OnDamaged(damaged, nil)
				if older {
					f.sends(t, "good", 1)
					f.ends(t, guidOf(1), remote.JobCompleted)
				}
				f.service.noPages = !older
				f.sends(t, "damaged", 2)
				for _, step := range steps {
					f.service.noPages = f.service.noPages && step == "damaged"
					switch step {
					case "others":
						f.ends(t, others, remote.JobCompleted)
					case "damaged":
						f.ends(t, guidOf(2), remote.JobFailed)
					case "remount":
						f.remount(t, "")
						f.OnDamaged(damaged, nil)
					}
				}
				for range 2 { // looking again changes nothing
					_, is, err := f.Source(12)
					require.NoError(t, err)
					require.False(t, is)
					require.Equal(t, []string{sumOf("damaged")}, aside)
					require.Empty(t, f.Damage(12))
					f.now = f.now.Add(time.Hour)
					_, _, err = f.PaperJob(t.Context(), 12)
					require.NoError(t, err)
				}
			})
		}
	}
}

// TestADamagedPDFOfAPaperWithoutPagesStays checks that such a PDF, of which there is no other, is source.pdf, with the reason.
func TestADamagedPDFOfAPaperWithoutPagesStays(t *testing.T) {
	f := newFixture(t)
	f.OnDamaged(func(int64, Source, string) error {
		t.Error("it was set aside")
		return nil
	}, nil)
	f.service.noPages = true
	f.sends(t, "damaged", 1)
	f.ends(t, guidOf(1), remote.JobFailed)
	require.Equal(t, sumOf("damaged"), f.look(t, 12))
	require.NotEmpty(t, f.Damage(12))
}

// TestAPDFThatIsSentAgainAndFails checks that a good PDF stays good where its content was sent again, and that job failed:
// nothing of it is damaged, or lost.
func TestAPDFThatIsSentAgainAndFails(t *testing.T) {
	f, aside := newFixture(t), 0
	f.OnDamaged(func(int64, Source, string) error {
		aside++
		return nil
	}, nil)
	f.sends(t, "good", 1)
	f.ends(t, guidOf(1), remote.JobCompleted)
	for n := 2; n < 2+2*maxOlder; n++ {
		f.sends(t, "good", n)
		f.ends(t, guidOf(n), remote.JobFailed)
		require.Equal(t, sumOf("good"), f.look(t, 12))
		require.Empty(t, f.Damage(12))
		require.Zero(t, aside)
	}
	f.sends(t, "damaged", 20)
	f.ends(t, guidOf(20), remote.JobFailed)
	require.Equal(t, sumOf("good"), f.look(t, 12))
	require.Equal(t, 1, aside)
	sums, err := f.Sources()
	require.NoError(t, err)
	require.Equal(t, map[int64][]string{12: {sumOf("good")}}, sums)
}
