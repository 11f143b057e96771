package papers

import (
	"context"

	"paperfs/cache/document"
	"paperfs/fs/virtual"
)

// jobs is the directory jobs/: the processing jobs known here are listed, and
// any other can be opened by its GUID.
type jobs struct{ *Tree }

// Jobs is the node of jobs/.
func (t *Tree) Jobs() *virtual.Dir { return t.top(jobs{t}) }

func (j jobs) List(context.Context) ([]virtual.Entry, error) {
	known, err := j.Documents.Jobs()
	entries := make([]virtual.Entry, len(known))
	for i, guid := range known {
		entries[i] = asFile(guid)
	}
	return entries, err
}

func (j jobs) Find(_ context.Context, name string) (virtual.Node, error) {
	guid, ok := document.JobName(name)
	if !ok {
		return nil, nil
	}
	return j.value(0, func(ctx context.Context) (string, error) {
		job, err := j.Documents.Job(ctx, guid)
		return string(job.Status), err
	}, nil), nil
}
