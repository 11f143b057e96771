// Package describe says what a node of the mount is: what `paperfs stat`
// prints and what the extended attributes user.paperfs.* hold.
package describe

import (
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// State of a node: where its content is.
type State string

// The states.
const (
	Published State = "published" // the service has it as it is shown
	Pending   State = "pending"   // on its way to the service
	Failed    State = "failed"    // the service did not take it; the content is in .paperfs/failed
	Local     State = "local"     // stays on this machine
)

// Description is what a node is. Fields that do not apply are empty.
type Description struct {
	Path    string `json:"path"` // from the mount root, without a slash at either end
	Kind    string `json:"kind"` // category, paper, directory, file, symlink, generated
	State   State  `json:"state"`
	ID      int64  `json:"id,omitempty"` // the service's; ids of nodes and of media overlap
	URL     string `json:"url,omitempty"`
	Address string `json:"address,omitempty"` // the whole public one
	SHA256  string `json:"sha256,omitempty"`
	// Publication of a paper: public, not yet or over, by its period.
	Publication string `json:"publication,omitempty"`
	LastError   string `json:"lastError,omitempty"`
	Progress    *int   `json:"progress,omitempty"` // of the job that a paper's file job is about, percent
}

// Describer is a node that can say what it is.
type Describer interface{ Describe() Description }

const prefix = "user.paperfs."

// attributes are the extended attributes of a description, by name.
func attributes(d Description) map[string]string {
	all := map[string]string{"kind": d.Kind, "state": string(d.State), "url": d.URL, "address": d.Address, "publication": d.Publication, "sha256": d.SHA256, "error": d.LastError}
	if d.ID != 0 {
		all["id"] = strconv.FormatInt(d.ID, 10)
	}
	for name, value := range all {
		if value == "" {
			delete(all, name)
		}
	}
	return all
}

// Getxattr answers for an extended attribute of a node, in the way of go-fuse:
// the size needed, and ERANGE where dest is too small.
func Getxattr(d Describer, attr string, dest []byte) (uint32, syscall.Errno) {
	name, ours := strings.CutPrefix(attr, prefix)
	if !ours {
		return 0, syscall.ENODATA
	}
	value, ok := attributes(d.Describe())[name]
	if !ok {
		return 0, syscall.ENODATA
	}
	return reply([]byte(value), dest)
}

// Listxattr lists the extended attributes of a node.
func Listxattr(d Describer, dest []byte) (uint32, syscall.Errno) {
	var names []string
	for name := range attributes(d.Describe()) {
		names = append(names, prefix+name+"\x00")
	}
	slices.Sort(names)
	return reply([]byte(strings.Join(names, "")), dest)
}

func reply(value, dest []byte) (uint32, syscall.Errno) {
	if len(value) > len(dest) {
		return uint32(len(value)), syscall.ERANGE
	}
	return uint32(copy(dest, value)), 0
}
