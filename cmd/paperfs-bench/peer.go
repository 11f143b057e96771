package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// peer is a way to reach files of a server.
type peer struct {
	name  string
	needs []string // programs, in addition to those of the work itself
	// open sets the peer up. Ending the rig takes it down.
	open func(r *rig, from setup) *place
}

// allPeers are the peers in the order of the tables.
var allPeers = []peer{localPeer, paperfsPeer, paperfsEmbeddedPeer, rclonePeer}

// setup is the initial state of a peer's server.
type setup struct {
	served string // directory that the server serves; peers with other storage ignore it
	media  int    // number of media files to generate in a paperfs service
	data   string // of a paperfs service that has the files of served; "": an empty one
}

// place is a peer that is set up.
type place struct {
	*rig
	dir    string                             // where programs write and list
	papers string                             // where paperfs shows as many papers; "" for none
	held   func(name string, sums bool) files // what the server has below a name
	mount  []*process
	server []*process
}

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
func choosePeers(r *rig) (chosen []peer, skipped []string) {
	var known []string
	for _, p := range allPeers {
		known = append(known, p.name)
		if len(r.peers) > 0 && !slices.Contains(r.peers, p.name) {
			continue
		}
		if program := p.missing(); program != "" {
			skipped = append(skipped, "Skipped "+p.name+": "+program+" is not installed")
		} else {
			chosen = append(chosen, p)
		}
	}
	for _, name := range r.peers {
		if !slices.Contains(known, name) {
			must(fmt.Errorf("no peer is called %q; there are: %s", name, strings.Join(known, ", ")))
		}
	}
	return chosen, skipped
}

// missing returns the first program that is not installed, or "".
func (p peer) missing() string {
	for _, program := range p.needs {
		if _, err := exec.LookPath(program); err != nil {
			return program
		}
	}
	return ""
}
