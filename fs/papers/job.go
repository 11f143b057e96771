package papers

import (
	"context"

	"paperfs/cache/library"
	"paperfs/fs/describe"
	"paperfs/fs/virtual"
)

// job is the file of a paper's last processing job: its GUID and status, and
// in a second line the reason of a failure; empty where none is known.
func (t *Tree) job(id int64) virtual.Node {
	v := t.value(id, func(ctx context.Context) (string, error) {
		job, ok, err := t.Library.PaperJob(ctx, id)
		if !ok {
			return "", err
		}
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

func jobLines(job library.Job) string {
	line := job.GUID + " " + string(job.Status)
	if job.Reason != "" {
		line += "\n" + job.Reason
	}
	return line
}
