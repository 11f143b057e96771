package document

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAJobOfOthersIsThePapers checks that the job of a paper is that of others, once this mount has seen it, with its end
// and the pages that it makes, until a PDF is sent from here.
func TestAJobOfOthersIsThePapers(t *testing.T) {
	f := newFixture(t)
	const other = "00000000-0000-0000-0000-0000000000ff"
	job := func() Job {
		t.Helper()
		job, ok, err := f.PaperJob(t.Context(), 12)
		require.NoError(t, err)
		require.Equal(t, ok, job.GUID != "")
		return job
	}
	look := func() {
		t.Helper()
		f.now = f.now.Add(max(maxPoll, progressTTL) + time.Second)
		_, _, err := f.Progress(t.Context(), 12)
		require.NoError(t, err)
	}
	f.service.processing = []remote.Processing{{Paper: 12, GUID: other}, {Paper: 13}}
	f.service.jobs[other] = remote.JobPending
	require.Zero(t, job())
	require.Zero(t, f.service.calls["GetProcessingPapers"], "the job alone costs no request")
	look()
	require.Equal(t, Job{GUID: other, Status: remote.JobPending}, job())
	_, err := f.Pages(t.Context(), 12)
	require.NoError(t, err)
	structures := f.service.calls["GetPaperStructure"]

	f.service.jobs[other], f.service.processing = remote.JobCompleted, nil
	look()
	require.Equal(t, Job{GUID: other, Status: remote.JobCompleted}, job())
	_, err = f.Pages(t.Context(), 12)
	require.NoError(t, err)
	require.Greater(t, f.service.calls["GetPaperStructure"], structures, "the pages are others")

	_, err = f.Process(t.Context(), 12, text("%PDF-"), time.Time{})
	require.NoError(t, err)
	require.Equal(t, pendingJob, job().GUID)
	_, known, err := f.JobTold(t.Context(), 12, other, remote.JobCompleted)
	require.NoError(t, err)
	require.False(t, known)
	f.service.jobs[pendingJob] = remote.JobCompleted
	look()
	require.Equal(t, Job{GUID: pendingJob, Status: remote.JobCompleted}, job(), "it came after that of others")

	_, _, err = f.JobTold(t.Context(), 12, other, remote.JobPending)
	require.NoError(t, err)
	f.service.jobs[other] = remote.JobFailed
	require.Equal(t, other, job().GUID, "and this came later")
}

// TestPagesOfOthersAreSeenAfterARefresh checks that a PDF from here is not a paper's any more once pages of others are read,
// also if what was known of the paper was dropped before, and that it is if the pages are its own.
func TestPagesOfOthersAreSeenAfterARefresh(t *testing.T) {
	for name, drop := range map[string]func(f *fixture){"a paper": func(f *fixture) { f.Drop(12) }, "all": func(f *fixture) { f.DropAll() }} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.send(t, 12, 1)
			f.service.jobs[guidOf(1)] = remote.JobCompleted
			f.look(t, 12)
			read := func() (sent bool) {
				t.Helper()
				drop(f)
				_, known := f.KnownPages(12)
				require.False(t, known)
				f.now = f.now.Add(time.Second)
				_, err := f.Pages(t.Context(), 12)
				require.NoError(t, err)
				_, sent, err = f.Source(12)
				require.NoError(t, err)
				return sent
			}
			f.service.firstPage += 100
			require.True(t, read(), "they may be those of the PDF that has just been processed")
			require.True(t, read())
			f.service.firstPage += 100
			require.False(t, read())
		})
		t.Run(name+", the text", func(t *testing.T) {
			f := newFixture(t)
			f.send(t, 12, 1)
			f.service.jobs[guidOf(1)] = remote.JobCompleted
			f.look(t, 12)
			for _, others := range []bool{false, true} {
				if others {
					f.service.firstPage += 100
				}
				drop(f)
				f.now = f.now.Add(time.Second)
				_, err := f.Structure(t.Context(), 12, others)
				require.NoError(t, err)
				_, sent, err := f.Source(12)
				require.NoError(t, err)
				require.NotEqual(t, others, sent)
			}
		})
	}
}

// TestWhatEndedWhileTheMountWasAwayIsTold checks jobs that a mount is told of after its start: one of others has replaced the
// PDF from here, one from here costs no pages again if its end was known, and what the service knows no more holds up none.
func TestWhatEndedWhileTheMountWasAwayIsTold(t *testing.T) {
	f := newFixture(t)
	const other = "00000000-0000-0000-0000-0000000000ff"
	for job, paper := range []int64{12, 13, 14, 15} { // the last one is gone meanwhile
		f.service.guid = guidOf(job)
		_, err := f.Process(t.Context(), paper, text(fmt.Sprint(paper)), time.Time{})
		require.NoError(t, err)
		if job < 2 {
			f.service.jobs[guidOf(job)] = remote.JobCompleted
			f.look(t, paper)
		}
	}
	f.remount(t, "")
	f.service.jobs[guidOf(2)] = remote.JobCompleted
	delete(f.service.jobs, guidOf(3))
	require.NoError(t, f.JobsTold(t.Context(), []remote.Event{{ID: 15, Job: guidOf(3), Gone: true}, {ID: 12, Job: guidOf(0), Status: remote.JobCompleted},
		{ID: 13, Job: guidOf(1), Status: remote.JobCompleted}, {ID: 14, Job: guidOf(2), Status: remote.JobCompleted}, {ID: 12, Job: other, Status: remote.JobCompleted}}, time.Now(), func(int64, Job) {}))
	for paper, is := range map[int64]bool{12: false, 13: true, 14: true} {
		_, sent, err := f.Source(paper)
		require.NoError(t, err)
		require.Equal(t, is, sent, paper)
		_, known := f.KnownPages(paper)
		require.Equal(t, is, known, paper)
	}
}

// TestAPDFThatARestoredServiceDoesNotKnow checks that such a PDF is set aside, whether or not its paper has pages and its job had
// ended, that one the service knows stays, and that a service which cannot be asked is asked again.
func TestAPDFThatARestoredServiceDoesNotKnow(t *testing.T) {
	f, aside := newFixture(t), map[int64]string{}
	f.OnDamaged(func(paper int64, _ Source, reason string) error {
		aside[paper] = reason
		return nil
	}, nil)
	for paper := range int64(3) {
		f.service.guid = guidOf(int(paper))
		_, err := f.Process(t.Context(), 12+paper, text(fmt.Sprint(paper)), time.Time{})
		require.NoError(t, err)
		if paper < 2 {
			f.service.jobs[guidOf(int(paper))] = remote.JobCompleted
			f.look(t, 12+paper)
		}
	}
	delete(f.service.jobs, guidOf(1))
	delete(f.service.jobs, guidOf(2))
	f.service.err = &remote.Error{Op: "GetProcessingStatus", Kind: remote.Unreachable}
	require.Error(t, f.RecordsLost(t.Context()))
	require.Empty(t, aside)
	f.service.err = nil
	for range 2 {
		require.NoError(t, f.RecordsLost(t.Context()))
	}
	for paper, stays := range map[int64]bool{12: true, 13: false, 14: false} {
		_, sent, err := f.Source(paper)
		require.NoError(t, err)
		require.Equal(t, stays, sent, paper)
		require.Equal(t, !stays, strings.Contains(aside[paper], "restore"), paper)
		_, known, err := f.PaperJob(t.Context(), paper)
		require.NoError(t, err)
		require.Equal(t, stays, known, paper)
	}
}

// TestNothingIsOfAnotherPaperAfterARestore checks that of what was known before a service got other records no answer and no
// preview link is shown, and that a paper which it makes with a used id has nothing from here.
func TestNothingIsOfAnotherPaperAfterARestore(t *testing.T) {
	for name, lose := range map[string]func(f *fixture) error{
		"told": func(f *fixture) error { return f.RecordsLost(t.Context()) },
		"made": func(f *fixture) error { f.Made(12, false); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			f, aside := newFixture(t), ""
			f.OnDamaged(func(_ int64, pdf Source, reason string) error {
				require.Equal(t, Unknown, reason)
				aside = pdf.SHA256
				return nil
			}, nil)
			f.send(t, 12, 1)
			last, _, err := f.Source(12)
			require.NoError(t, err)
			paper := remote.Node{ID: 12, Kind: remote.PaperNode, URL: "/spring/"}
			require.NoError(t, f.Preview(t.Context(), paper, 60, ""))
			read := func() string {
				value, err := f.Setting(t.Context(), 12, "iconPdf")
				require.NoError(t, err)
				return value
			}
			require.Equal(t, "false", read())
			f.service.settings["iconPdf"] = "true"
			clear(f.service.jobs)
			require.NoError(t, lose(f))
			require.Equal(t, last.SHA256, aside)
			require.Equal(t, "true", read())
			previews, err := f.Previews(paper)
			require.NoError(t, err)
			require.Empty(t, previews)
			sent, err := f.sourcesOf(12)
			require.NoError(t, err)
			require.Empty(t, sent)
			_, is, err := f.PaperJob(t.Context(), 12)
			require.NoError(t, err)
			require.False(t, is)
		})
	}
}
