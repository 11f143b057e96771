package generated

import (
	"context"

	"paperfs/cache/document"
	"paperfs/fs/virtual"
)

// jobs is the directory jobs/: it lists the jobs that this machine knows; any other can be
// opened by its GUID.
type jobs struct{ *Nodes }

// Jobs returns the node of jobs/.
func (g *Nodes) Jobs() *virtual.Dir { return g.rootDir(jobs{g}) }

func (j jobs) List(context.Context) ([]virtual.Entry, error) {
	known, err := j.Documents.Jobs()
	entries := make([]virtual.Entry, len(known))
	for i, guid := range known {
		entries[i] = virtual.FileEntry(guid)
	}
	return entries, err
}

func (j jobs) Find(_ context.Context, name string) (virtual.Node, error) {
	guid, ok := document.JobName(name)
	if !ok {
		return nil, nil
	}
	return j.Value(0, func(ctx context.Context) (string, error) {
		job, err := j.Documents.Job(ctx, guid)
		return string(job.Status), err
	}, nil), nil
}
