package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// peer is a way to copy files to a server and to list them there.
type peer struct {
	name  string
	needs []string // programs, in addition to those of the work itself
	// missing returns why the peer cannot run on this machine although its programs are
	// installed, or "". It may be nil.
	missing func(*rig) string
	open    func(r *rig, o setup) (*place, error)
}

// setup is the initial state of a peer.
type setup struct {
	served string // directory that the server serves; peers with other storage ignore it
	media  int    // number of media files to generate in a paperfs service
	data   string // of a paperfs service that has the files of served; "": an empty one
}

// place is a peer that is set up.
type place struct {
	mountpoint string // "" for none
	dir        string // where programs write and list; "" for none
	papers     string // path of the papers; "" for none
	store      store  // the server's content
	// command returns the work as one program; if nil, the workload's command runs in dir.
	command func(w workload, name string) (*exec.Cmd, error)
	// urls returns the addresses of a file or of a directory's files; nil: there is dir.
	urls   func(name string) []string
	mount  []*process
	server []*process
}

// takeDown ends a peer before the end of the comparison.
func (at *place) takeDown(r *rig) error {
	if at.mountpoint != "" {
		if err := unmount(at.mountpoint); err != nil {
			return err
		}
		if err := r.guard.watch(guardedGone, guardedMount+" "+at.mountpoint); err != nil {
			return err
		}
	}
	for _, p := range slices.Concat(at.mount, at.server) {
		pid := strconv.Itoa(p.cmd.Process.Pid)
		endGroup(pid)
		if err := r.guard.watch(guardedGone, guardedPID+" "+pid); err != nil {
			return err
		}
	}
	return nil
}

// errNotHere means that the peer cannot do the work.
var errNotHere = errors.New("not possible here")

// store is the content of a server, by name.
type store interface {
	// has reports whether all files have arrived, by their sizes.
	has(name string, want files) (bool, error)
	// check also compares the content.
	check(name string, want files) error
	drop(name string) error
}

// choosePeers returns the named peers of a list (or all) that can run on this machine. It
// also returns the skipped peers with the reasons.
func choosePeers(r *rig, from []peer, names []string) (chosen []peer, skipped []string, err error) {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for _, p := range from {
		if len(names) > 0 && !wanted[p.name] {
			continue
		}
		delete(wanted, p.name)
		if reason := p.unavailable(r); reason != "" {
			skipped = append(skipped, p.name+": "+reason)
			continue
		}
		chosen = append(chosen, p)
	}
	for name := range wanted {
		var known []string
		for _, p := range from {
			known = append(known, p.name)
		}
		return nil, nil, fmt.Errorf("no peer is called %q; there are: %s", name, strings.Join(known, ", "))
	}
	return chosen, skipped, nil
}

func (p peer) unavailable(r *rig) string {
	for _, program := range p.needs {
		if program == "rclone" {
			program = r.rclone
		}
		if _, err := exec.LookPath(program); err != nil {
			return program + " is not installed"
		}
	}
	if len(p.needs) > 0 || p.missing != nil {
		if _, err := os.Stat("/dev/fuse"); err != nil {
			return "there is no /dev/fuse"
		}
	}
	if p.missing != nil {
		return p.missing(r)
	}
	return ""
}
