package control

import (
	"encoding/json"
	"strconv"
	"syscall"

	"paperfs/fs/errno"
)

// Change is something that others changed at the service.
type Change struct {
	Kind    string `json:"kind"`              // node, file, directory, job, setting; tree: too much to list
	Path    string `json:"path,omitempty"`    // from the mount's root, of a job or setting its paper's; of what is gone where it was
	ID      int64  `json:"id,omitempty"`      // at the service
	Gone    bool   `json:"gone,omitempty"`    // deleted
	Setting string `json:"setting,omitempty"` // its name
	Job     string `json:"job,omitempty"`
	Status  string `json:"status,omitempty"` // of the job
}

// Events is the answer of the file events to a number: the changes after it.
type Events struct {
	Next    int      `json:"next"` // the number to ask with next
	Told    bool     `json:"told"` // the service tells this mount of changes
	Lost    bool     `json:"lost"` // there were changes that are not known any more
	Changes []Change `json:"changes"`
}

// events answers at once. An empty question asks for the number.
func (o *Options) events(question string) ([]byte, error) {
	after, err := strconv.Atoi(question)
	if question == "" {
		after, err = -1, nil
	}
	if err != nil || after < -1 {
		return nil, errno.Refuse(syscall.EINVAL, "write the number of the last answer, or nothing")
	}
	text, err := json.Marshal(o.Events(after))
	return append(text, '\n'), err
}
