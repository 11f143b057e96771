package papers

import (
	"cmp"
	"context"
	"syscall"

	"paperfs/cache/library"
	"paperfs/fs/describe"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// job is the file of a paper's last processing job: its GUID and status, and
// in a second line the reason of a failure; empty where none is known.
func (t *Tree) job(id int64) virtual.Node {
	v := t.value(id, func(ctx context.Context) (string, error) {
		job, ok, err := t.Library.PaperJob(ctx, id)
		if !ok {
			return "", err
		}
		t.tellJob(id, job)
		return jobLines(job), nil
	}, nil)
	what := v.What
	v.What = func() describe.Description {
		d := what()
		if percent, ok, err := t.Library.Progress(context.Background(), id); ok && err == nil {
			d.Progress = &percent
		}
		return d
	}
	return v
}

// tellJob tells once, in errors, that a PDF could not be processed: the close of it was long
// over when the service found out.
func (t *Tree) tellJob(paper int64, job library.Job) {
	if job.Status != remote.JobFailed && job.Status != remote.JobEnrichmentFailed {
		return
	}
	if _, told := t.toldJobs.LoadOrStore(job.GUID, true); told {
		return
	}
	why := cmp.Or(job.Reason, string(job.Status))
	t.Tell.Failed("process", t.shownDir(paper)+"/"+sourceName, paper, errno.Refuse(syscall.EIO, "the pages of the PDF could not be made: "+why))
}

func jobLines(job library.Job) string {
	line := job.GUID + " " + string(job.Status)
	if job.Reason != "" {
		line += "\n" + job.Reason
	}
	return line
}
