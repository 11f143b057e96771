package importfile

import (
	"slices"

	"github.com/google/uuid"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

var statuses = []remote.JobStatus{remote.JobPending, remote.JobCompleted, remote.JobEnrichmentFailed, remote.JobFailed}

func readJobs(n *Node, e *paper) error {
	for _, list := range e.Processes {
		for _, p := range list.v.Processes {
			job, err := readJob(p.line, &p.v)
			if err != nil {
				return err
			}
			n.Jobs = append(n.Jobs, job)
		}
	}
	return nil
}

func readJob(line int, e *process) (Job, error) {
	j := Job{line, store.Job{Status: remote.JobStatus(rules.Trim(e.Status))}}
	guid, err := uuid.Parse(rules.Trim(e.GUID))
	if err != nil {
		return j, Errorf(line, "guid %q is not a GUID", e.GUID)
	}
	j.GUID = guid.String()
	var ok bool
	if j.Created, ok = rules.Time(e.Created); !ok {
		return j, Errorf(line, "created %q has to be a time like 2031-03-01 06:00:00", e.Created)
	}
	if !slices.Contains(statuses, j.Status) {
		return j, Errorf(line, "status %q has to be Pending, Completed, EnrichmentProcessingFailed or Failed", e.Status)
	}
	progress := e.Progress
	if progress == "" && j.Status != remote.JobPending {
		progress = "100"
	}
	percent, ok := whole(progress)
	if !ok || percent > 100 {
		return j, Errorf(line, "progress %q has to be a number from 0 to 100", e.Progress)
	}
	j.Progress = int(percent)
	return j, nil
}
