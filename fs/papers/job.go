package papers

import (
	"cmp"
	"context"
	"strings"
	"syscall"

	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// job returns the file of a paper's last processing job, of which this mount knows: its GUID and status and, in a
// second line, the reason of a failure. It is empty if no job is known.
func (t *Tree) job(id int64) virtual.Node {
	v := t.Value(id, func(ctx context.Context) (string, error) {
		job, ok, err := t.Documents.PaperJob(ctx, id)
		if !ok {
			return "", err
		}
		t.reportJob(id, job)
		return jobLines(job), nil
	}, nil)
	what := v.What
	v.What = func() inode.Description {
		d := what()
		if percent, ok, err := t.Documents.Progress(context.Background(), id); ok && err == nil {
			d.Progress = &percent
		}
		return d
	}
	return v
}

// JobEnded reports how a job ended, of which no program has asked.
func (t *Tree) JobEnded(paper int64, job document.Job) {
	t.reportJob(paper, job)
}

// reportJob reports a failed job once in .paperfs/errors, because the PDF was closed long
// before the service found the failure.
func (t *Tree) reportJob(paper int64, job document.Job) {
	if job.Status != remote.JobPending {
		t.Media.JobEnded(paper)
	}
	if job.Status != remote.JobFailed && job.Status != remote.JobEnrichmentFailed {
		return
	}
	if _, told := t.reportedJobs.LoadOrStore(job.GUID, true); told {
		return
	}
	what := noPages
	if job.Status == remote.JobEnrichmentFailed {
		what = noEnrichment
	}
	why := cmp.Or(job.Reason, string(job.Status))
	t.Tell.Failed("process", t.Path(paper)+"/"+names.Source, paper, errno.Refuse(syscall.EIO, what+why))
}

const (
	noPages      = "the service could not make pages from the PDF: "
	noEnrichment = "the pages are there, but not all of their links and products: "
)

// keepDamaged puts a PDF that the service could not process into failed/, because an older
// one becomes its paper's source.pdf again. One that the service does not know is for no paper
// that is there, but for one with the name that its paper had when it was sent.
func (t *Tree) keepDamaged(paper int64, pdf document.Source, reason string) error {
	f, err := t.Media.OpenPDF(pdf.SHA256)
	if media.Is(err, media.NoContent) {
		return nil // the cache was cleared
	}
	if err != nil {
		return err
	}
	defer f.Close()
	at, words := "/"+t.Path(paper)+"/"+names.Source, noPages+reason
	if reason == document.Unknown { // another paper may have the id now
		paper, at, words = 0, "/"+strings.TrimSuffix(cmp.Or(pdf.Path, t.Path(paper)), names.Suffix)+names.PDFEndings[0], reason
	}
	return t.Media.CopyToFailed(f, paper, at, words)
}

func jobLines(job document.Job) string {
	line := job.GUID + " " + string(job.Status)
	if job.Reason != "" {
		line += "\n" + job.Reason
	}
	return line
}
