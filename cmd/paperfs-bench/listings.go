package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

func newListingsCommand() *cobra.Command {
	var o options
	entries := 10_000
	cmd := &cobra.Command{
		Use:   "listings",
		Short: "List many files, a hundred in each directory",
		Long: `List many files, a hundred in each directory.

Cold is the first walk of a new mount; the others find what the kernel kept.
The local disk is never cold: its files were just made. The first ls waits
until paperfs has the trees from the service, and is not part of the walk.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if entries < 100 {
				return fmt.Errorf("--entries %d: at least a hundred", entries)
			}
			return o.prepare(func() error {
				return withRig(cmd, o, func(r *rig) error { return compareListings(r, o, entries-entries%100, cmd.OutOrStdout()) })
			})
		},
	}
	o.bind(cmd)
	cmd.Flags().IntVar(&entries, "entries", entries, "how many files; paperfs gets as many papers besides")
	return cmd
}

// listingPeers are the peers in the order of the table.
var listingPeers = []peer{localPeer, paperfsPeer, sshfsPeer, rclonePeer, s3fsPeer}

func compareListings(r *rig, o options, entries int, out io.Writer) error {
	peers, skipped, err := choosePeers(r, listingPeers, o.peers)
	if err != nil {
		return err
	}
	served, err := r.makeServed()
	if err != nil {
		return err
	}
	if _, err := makeFiles(served, entries, 12, 0); err != nil {
		return err
	}
	t := newTable(skipped)
	for range o.runs {
		for _, p := range peers {
			if err := walkPeer(r, p, setup{served: served, media: entries}, t); err != nil {
				return err
			}
		}
	}
	return t.write(out, "paperfs")
}

// walkPeer sets a peer up, walks it, and takes it down: once for each cold walk.
func walkPeer(r *rig, p peer, o setup, t *table) error {
	r.say(p.name)
	for _, walks := range []func(*walker){walkFiles, walkDetails, walkPapers} {
		at, err := p.open(r, o)
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if err != nil {
			t.skip(p.name, err)
			return nil
		}
		if err := r.settle(); err != nil {
			return err
		}
		walks(&walker{r, at, p.name, o.media, t})
		if err := at.takeDown(r); err != nil {
			return err
		}
	}
	return nil
}

// walker walks the tree of a peer.
type walker struct {
	*rig
	at    *place
	peer  string
	media int
	t     *table
}

func (w *walker) walk(peer, title string, least int, words ...string) {
	took, err := timeListing(w.rig, least, words)
	w.t.add(peer, title, took, err)
}

func walkFiles(w *walker) {
	w.begin()
	files := w.media + w.media/100
	w.walk(w.peer, "find, cold", files, "find", w.at.dir)
	w.walk(w.peer, "find, warm", files, "find", w.at.dir)
	w.walk(w.peer, "ls -lR, warm", files, "ls", "-lR", w.at.dir)
	w.t.memory(w.peer, w.at)
}

func walkPapers(w *walker) {
	if w.at.papers == "" {
		return
	}
	w.begin()
	for _, state := range []string{"cold", "warm"} {
		w.walk(w.papers(), "find, "+state, w.media, "find", w.at.papers, "-name", "*.paper", "-prune")
	}
	w.t.memory(w.papers(), w.at)
}

// walkDetails makes the first walk request attributes, too.
func walkDetails(w *walker) {
	w.begin()
	w.walk(w.peer, "ls -lR, cold", w.media+w.media/100, "ls", "-lR", w.at.dir)
}

// begin waits until the peer has its trees.
func (w *walker) begin() {
	w.walk(w.peer, "first ls", 1, "ls", w.at.dir)
	if w.at.papers != "" {
		w.walk(w.papers(), "first ls", w.media/100, "ls", w.at.papers)
	}
}

func (w *walker) papers() string { return w.peer + ", papers/" }

// timeListing runs a command that must print at least a number of lines.
func timeListing(r *rig, least int, words []string) (took time.Duration, err error) {
	begin := time.Now()
	printed, err := r.run(r.command(words...))
	took = time.Since(begin)
	lines := bytes.Count(printed, []byte{'\n'})
	if err == nil && lines < least {
		err = fmt.Errorf("%s shows %d lines, not %d", filepath.Base(words[0]), lines, least)
	}
	return took, err
}
