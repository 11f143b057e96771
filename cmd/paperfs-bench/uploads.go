package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

// uploadOptions are the sizes of the work.
type uploadOptions struct {
	options
	large     int64
	small     int
	smallSize int64
}

func newUploadsCommand() *cobra.Command {
	o := uploadOptions{large: 64 << 20, small: 200, smallSize: 10 << 10}
	cmd := &cobra.Command{
		Use:   "uploads",
		Short: "Bring files to a server by cp and rsync",
		Long: `Bring files to a server by cp and rsync.

The clock stops when the server holds all files, not when the program ends;
where that was clearly earlier, its time is there too. What was written before
is on the disk before the clock starts, and memory as the work takes it was in
use. What is written is compared at the server afterwards.
The processor's time is that of the program, the mount and the server together:
it says more than the clock does where others work on the machine.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.prepare(func() error {
				return withRig(cmd, o.options, func(r *rig) error { return compareUploads(r, o, cmd.OutOrStdout()) })
			})
		},
	}
	o.bind(cmd)
	f := cmd.Flags()
	f.Int64Var(&o.large, "large", o.large, "bytes of the large file")
	f.IntVar(&o.small, "small", o.small, "how many small files")
	f.Int64Var(&o.smallSize, "small-size", o.smallSize, "bytes of a small file")
	return cmd
}

// uploadWork creates the files that a run uploads in source, replacing those of the previous
// run. No two files have the same content, because some peers detect known content.
func uploadWork(source string, o uploadOptions, run int) ([]workload, error) {
	seed := uint64(run) * uint64(2*o.small+1)
	large, copied, synced := filepath.Join(source, "large"), filepath.Join(source, "copied"), filepath.Join(source, "synced")
	one, err := makeFile(large, o.large, seed)
	if err != nil {
		return nil, err
	}
	copies, err := makeFiles(copied, o.small, o.smallSize, seed+1)
	if err != nil {
		return nil, err
	}
	syncs, err := makeFiles(synced, o.small, o.smallSize, seed+1+uint64(o.small))
	if err != nil {
		return nil, err
	}
	postAll := func(name string) (all []post) {
		for below := range copies {
			all = append(all, post{filepath.Join(copied, below), filepath.Join(name, below)})
		}
		return all
	}
	rsync := func(target string) []string { return []string{"rsync", "-a", synced + "/", target + "/"} }
	count := fmt.Sprintf("%d × %s", o.small, size(o.smallSize))
	return []workload{
		{title: "cp " + size(o.large), name: "large", want: files{"": one},
			words: func(target string) []string { return []string{"cp", large, target} },
			posts: func(name string) []post { return []post{{large, name}} }},
		{title: "cp -r " + count, name: "cp", want: copies, posts: postAll,
			words: func(target string) []string { return []string{"cp", "-r", copied, target} }},
		{title: "rsync -a " + count, name: "rsync", want: syncs, words: rsync},
		{title: "rsync -a again", name: "rsync", want: syncs, words: rsync, again: true},
	}, nil
}

// allPeers are the peers in the order of the table.
var allPeers = []peer{localPeer, paperfsPeer, paperfsEmbeddedPeer, paperfsWriteBackPeer, curlPeer, sshfsPeer, rclonePeer, s3fsPeer}

func compareUploads(r *rig, o uploadOptions, out io.Writer) error {
	source, err := r.makeDir("source")
	if err != nil {
		return err
	}
	peers, skipped, err := choosePeers(r, allPeers, o.peers)
	if err != nil {
		return err
	}
	t := newTable(skipped)
	places, err := openAll(r, peers, t)
	if err != nil {
		return err
	}
	for run := range o.runs {
		work, err := uploadWork(source, o, run)
		if err != nil {
			return err
		}
		for _, w := range work {
			for _, p := range peers {
				at := places[p.name]
				if at == nil {
					continue
				}
				r.say(p.name, w.title)
				took, err := upload(r, at, w, fmt.Sprintf("%s-%d", w.name, run))
				if r.ctx.Err() != nil { // the results so far are worth showing
					return errors.Join(r.ctx.Err(), t.write(out, "paperfs"))
				}
				t.add(p.name, w.title, took.held, err)
				t.addMore(p.name, w.title, took)
				t.memory(p.name, at)
				if errors.Is(err, errLimit) {
					delete(places, p.name)
				}
			}
		}
	}
	return t.write(out, "paperfs")
}

// openAll sets the peers up; the table names those that fail.
func openAll(r *rig, peers []peer, t *table) (map[string]*place, error) {
	places := map[string]*place{}
	for _, p := range peers {
		served, err := r.makeServed()
		if err != nil {
			return nil, err
		}
		at, err := p.open(r, setup{served: served})
		if r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		if err != nil {
			t.skip(p.name, err)
			continue
		}
		places[p.name] = at
	}
	return places, nil
}

// upload does one piece of work.
func upload(r *rig, at *place, w workload, name string) (t took, err error) {
	cmd, err := workCommand(r, at, w, name)
	if err != nil {
		return t, err
	}
	if err := errors.Join(warm(w.want.size()), r.settle()); err != nil {
		return t, err
	}
	before, err := at.processorTime()
	if err != nil {
		return t, err
	}
	begin := time.Now()
	if _, err := r.run(cmd); err != nil {
		return t, err
	}
	end := time.Now()
	t.returned = end.Sub(begin)
	for {
		asked := time.Now()
		held, err := at.store.has(name, w.want)
		if err != nil {
			return t, err
		}
		if held {
			break
		}
		if time.Since(begin) > r.limit {
			return t, fmt.Errorf("the server does not hold everything: %w", errLimit)
		}
		select {
		case <-r.ctx.Done():
			return t, r.ctx.Err()
		case <-time.After(max(5*time.Millisecond, 4*time.Since(asked))): // checking costs the server time, too
		}
		end = time.Now()
	}
	after, err := at.processorTime()
	if err != nil {
		return t, err
	}
	t.held, t.processor = end.Sub(begin), after-before+programTime(cmd)
	return t, finish(r, at, w, name)
}

func workCommand(r *rig, at *place, w workload, name string) (*exec.Cmd, error) {
	if at.command != nil {
		return at.command(w, name)
	}
	return r.command(w.words(filepath.Join(at.dir, name))...), nil
}

// finish compares the content and frees the space. A file may have its size before it has its
// last bytes, so finish waits for a moment.
func finish(r *rig, at *place, w workload, name string) error {
	var err error
	settled := r.until("content", nil, func() bool {
		err = at.store.check(name, w.want)
		return err == nil
	})
	if settled != nil {
		return errors.Join(settled, err)
	}
	if w.name == "large" {
		return at.store.drop(name)
	}
	return nil
}
