package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// peer is a way to reach files of a server.
type peer struct {
	name  string
	needs []string // programs, in addition to those of the work itself
	// missing returns why the peer cannot run on this machine although its programs are
	// installed, or "". It may be nil.
	missing func(*rig) string
	// open sets the peer up. Ending the rig takes it down.
	open func(r *rig, from setup) *place
}

// allPeers are the peers in the order of the tables.
var allPeers = []peer{localPeer, paperfsPeer, paperfsEmbeddedPeer, curlPeer, sshfsPeer, rclonePeer, s3fsPeer}

// setup is the initial state of a peer's server.
type setup struct {
	served string // directory that the server serves; peers with other storage ignore it
	media  int    // number of media files to generate in a paperfs service
	data   string // of a paperfs service that has the files of served; "": an empty one
}

// place is a peer that is set up.
type place struct {
	*rig
	dir    string                                          // where programs write and list; "" for none
	papers string                                          // where paperfs shows as many papers; "" for none
	held   func(name string, sums bool) files              // what the server has below a name
	upload func(source, name string, want files) *exec.Cmd // the work as one program; nil: it runs in dir
	urls   func(name string) []string                      // of a file or of a directory's files; nil: there is dir
	mount  []*process
	server []*process
}

// errNotHere means that the peer cannot do the work.
var errNotHere = errors.New("not possible here")

// localPeer is the local disk.
var localPeer = peer{name: "local", open: func(r *rig, from setup) *place {
	return onServed(r, from, from.served, nil, nil)
}}

// onServed returns a place whose server stores its files in the directory that it serves.
func onServed(r *rig, from setup, dir string, mount, server []*process) *place {
	held := func(name string, sums bool) files { return onDisk(filepath.Join(from.served, name), sums) }
	return &place{rig: r, dir: dir, held: held, mount: mount, server: server}
}

// choosePeers returns the named peers (or all) that can do their work on this machine, and the
// others with the reasons.
func choosePeers(r *rig, from []peer) (chosen []peer, skipped []string) {
	wanted := map[string]bool{}
	for _, name := range r.peers {
		wanted[name] = true
	}
	var known []string
	for _, p := range from {
		known = append(known, p.name)
		if len(r.peers) > 0 && !wanted[p.name] {
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
		must(fmt.Errorf("no peer is called %q; there are: %s", name, strings.Join(known, ", ")))
	}
	return chosen, skipped
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
