package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

// readOptions are the sizes of the work.
type readOptions struct {
	options
	large int64
	small int
}

func newReadsCommand() *cobra.Command {
	o := readOptions{large: 256 << 20, small: 200}
	cmd := &cobra.Command{
		Use:   "reads",
		Short: "Read files of a server, in whole and in parts",
		Long: `Read files of a server, in whole and in parts.

Each piece of work runs in a mount of its own, whose caches are empty, but for
those that say again. The local disk and the servers are never cold: their files
were just made. Where the mount tells it, the table has the requests and the MiB
that were fetched for the files. The peak of memory is that of all mounts.
curl downloads to files.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.large < 1<<20 || o.small < 1 {
				return fmt.Errorf("--large %d --small %d: at least 1 MiB and one file", o.large, o.small)
			}
			return o.prepare(func() error {
				return withRig(cmd, o.options, func(r *rig) error { return compareReads(r, o, cmd.OutOrStdout()) })
			})
		},
	}
	o.bind(cmd)
	f := cmd.Flags()
	f.Int64Var(&o.large, "large", o.large, "bytes of the large file; eight others have an eighth each")
	f.IntVar(&o.small, "small", o.small, "how many files of 1 MiB, and of 10 KiB")
	return cmd
}

// readPeers are the peers in the order of the table.
var readPeers = []peer{localPeer, paperfsPeer, paperfsEmbeddedPeer, curlPeer, sshfsPeer, rclonePeer, s3fsPeer}

func compareReads(r *rig, o readOptions, out io.Writer) error {
	peers, skipped, err := choosePeers(r, readPeers, o.peers)
	if err != nil {
		return err
	}
	from := setup{}
	if from.served, err = r.makeServed(); err != nil {
		return err
	}
	if err := makeLibrary(from.served, o); err != nil {
		return err
	}
	if r.paperfs != "" {
		if from.data, err = publish(r, from.served); err != nil {
			return fmt.Errorf("the files cannot be published: %w", err)
		}
	}
	sessions, err := readSessions(o)
	if err != nil {
		return err
	}
	t := newTable(skipped)
	for range o.runs {
		for _, session := range sessions {
			for _, p := range peers {
				r.say(p.name, session[0].title)
				if err := readAll(r, p, from, session, t); err != nil {
					return errors.Join(err, t.write(out, "paperfs"))
				}
			}
		}
	}
	return t.write(out, "paperfs")
}

// readAll does pieces of work one after the other in one mount.
func readAll(r *rig, p peer, from setup, session []readWork, t *table) error {
	at, err := p.open(r, from)
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
	for _, w := range session {
		words := w.words(at)
		if words == nil {
			t.add(p.name, w.title, 0, errNotHere)
			continue
		}
		if at.dir != "" { // it has the names by then, as a mount in use
			if _, err := r.run(r.command("ls", at.dir)); err != nil {
				return err
			}
		}
		before := at.fetched()
		begin := time.Now()
		_, err := r.run(r.command(words...))
		t.add(p.name, w.title, time.Since(begin), err)
		t.addNote(p.name, w.title, at.fetched().since(before))
	}
	t.memory(p.name, at)
	return at.takeDown(r)
}

const (
	largeFile   = "large.bin"
	archiveFile = "archive.zip"
	eighths     = "eighths"
	mebibytes   = "mebibytes"
	tens        = "tens"
)

// makeLibrary makes the files that are read.
func makeLibrary(dir string, o readOptions) error {
	if _, err := makeFile(filepath.Join(dir, largeFile), o.large, 0); err != nil {
		return err
	}
	for name, files := range map[string]struct {
		count int
		size  int64
	}{eighths: {8, o.large / 8}, mebibytes: {o.small, 1 << 20}, tens: {o.small, 10 << 10}} {
		if _, err := makeFiles(filepath.Join(dir, name), files.count, files.size, uint64(files.size)); err != nil {
			return err
		}
	}
	return archive(filepath.Join(dir, archiveFile), filepath.Join(dir, eighths))
}

// archive writes a ZIP of a directory, without compression.
func archive(path, dir string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	return errors.Join(z.AddFS(os.DirFS(dir)), z.Close(), f.Close())
}

// publish makes a service's data directory with the files of a directory.
func publish(r *rig, dir string) (data string, err error) {
	r.say("the files are published")
	at, err := openEmbedded(r, setup{})
	if err != nil {
		return "", err
	}
	if _, err := r.run(r.command("cp", "-r", dir+"/.", at.dir)); err != nil {
		return "", err
	}
	return at.store.(*paperfsService).data, at.takeDown(r)
}
