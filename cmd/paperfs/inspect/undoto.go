package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"
	"paperfs/remote/durable"
	"paperfs/remote/shellword"
)

// writeOut writes the content of an entry to a file, which is there whole or not at all.
func (u *undo) writeOut() error {
	entry := u.asked.Entries[0]
	kept, _, err := u.ask(control.Undo{Path: u.asked.Path, List: true})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(kept.Entries, func(k control.Kept) bool { return k.Entry == entry })
	if i < 0 {
		return fmt.Errorf("the service keeps no entry %d at or below %s, or not any more: `paperfs undo --list %s` shows what it keeps", entry, u.place(), shellword.Quote(u.place()))
	}
	k := kept.Entries[i]
	switch {
	case !hasContent(k):
		return fmt.Errorf("entry %d is a %s, which has no content of its own: `paperfs undo %s %d` brings it back", entry, k.Kind, shellword.Quote(u.dir), entry)
	case u.to == "-":
		return u.copyContent(k, u.cmd.OutOrStdout())
	}
	if err := u.mayWrite(); err != nil {
		return err
	}
	if err := u.writeFile(k); err != nil {
		return fmt.Errorf("%s was not written: %w", u.to, err)
	}
	if u.json {
		return cli.ShowJSON(u.cmd, k)
	}
	_, err = fmt.Fprintf(u.cmd.OutOrStdout(), "%s has the content of %s that was %s at %s (%s).\n", cli.Printable(u.to), pathOf(k), whatOf(k), timeOf(k), humanize.IBytes(uint64(k.Bytes)))
	return err
}

// mayWrite refuses a place where something is, or no file can be made.
func (u *undo) mayWrite() error {
	_, err := os.Lstat(u.to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		err = fmt.Errorf("%s exists: give another name, or - for the standard output", u.to)
	}
	return err
}

// writeFile writes the content under a temporary name, which stays on this machine also in a mount, and then renames it.
// A signal removes what was written.
func (u *undo) writeFile(k control.Kept) error {
	dir, name := filepath.Split(u.to)
	draft, err := os.CreateTemp(filepath.Clean(dir), "."+strings.ToValidUTF8(name[:min(len(name), 200)], "")+".*")
	if err != nil {
		return err
	}
	written := make(chan error, 1)
	go func() { written <- errors.Join(draft.Chmod(0o644), u.copyContent(k, draft), u.mayWrite()) }()
	select {
	case err = <-written:
	case <-u.ctx.Done():
		err = errors.New("interrupted")
	}
	return durable.Replace(u.to, draft, err)
}

// copyContent copies the content of an entry, which the mount reads from the service.
func (u *undo) copyContent(k control.Kept, to io.Writer) error {
	question, err := json.Marshal(control.Undo{Path: k.Path, Content: k.Entry})
	if err != nil {
		return err
	}
	file := filepath.Join(u.dir, k.Path)
	f, err := u.answered("undo", string(question))
	if err != nil {
		return saysWhy(err, file)
	}
	defer f.Close()
	n, err := io.Copy(to, f)
	if failed, is := errors.AsType[*fs.PathError](err); is && failed.Path == f.Name() {
		return saysWhy(err, file)
	}
	if err == nil && n != k.Bytes {
		err = fmt.Errorf("the service sent %d bytes of %d", n, k.Bytes)
	}
	return err
}
