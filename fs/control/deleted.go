package control

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

const deletedName = "deleted"

// keeps reports whether the service says that it keeps what is deleted.
func (o *Options) keeps() bool {
	if o.Keeper == nil {
		return false
	}
	offers, known := o.Keeper.Offers()
	return known && offers.Deleted > 0
}

// deletedDir is deleted/, which lists what the service keeps of what was deleted or replaced.
type deletedDir struct{ virtual.Dir }

var (
	_ virtual.Node      = (*deletedDir)(nil)
	_ gofs.NodeRenamer  = (*deletedDir)(nil)
	_ gofs.NodeUnlinker = (*deletedDir)(nil)
)

func newDeletedDir(o *Options, about virtual.About) *deletedDir {
	return &deletedDir{virtual.Dir{Env: o.Env, About: about, Mode: 0o700, Source: &deletedSource{o: o}}}
}

// Returner is a directory to which something that was deleted can come back: one of media/, a category, or the paper
// of a replaced PDF. It calls restore with the service's id of the directory and name, and then shows what came back.
// EXDEV: it does not come back as such, but programs can copy its content there.
type Returner interface {
	ReturnDeleted(ctx context.Context, e remote.Entry, name string, noReplace bool, restore func(parent int64, name string) error) error
}

// Rename into media/ or papers/ restores. For other directories of the mount it returns EXDEV, which makes mv copy and
// then remove.
func (d *deletedDir) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^virtual.RenameNoReplace != 0 {
		return syscall.EINVAL
	}
	path := virtual.Path(&d.Inode, name)
	tell := func(err error) syscall.Errno { return d.Tell.Tell("rename", path, 0, err) }
	to, ok := newParent.(Returner)
	if !ok {
		if newParent.EmbeddedInode() == d.EmbeddedInode() {
			return tell(errno.Refuse(syscall.EPERM, "what was deleted has the name that it had: give it another one as you move it into media/ or papers/"))
		}
		return syscall.EXDEV
	}
	s := d.Source.(*deletedSource)
	err := virtual.Change(ctx, func(ctx context.Context) error {
		e, found, err := s.entry(ctx, name)
		if err == nil && !found {
			err = syscall.ENOENT
		}
		if err != nil {
			return err
		}
		return to.ReturnDeleted(ctx, e, newName, flags&virtual.RenameNoReplace != 0, func(parent int64, text string) error {
			return s.restore(ctx, e, parent, text)
		})
	}, func(err error) { tell(err) })
	if errors.Is(err, syscall.EXDEV) {
		return syscall.EXDEV
	}
	return tell(err)
}

// Unlink purges.
func (d *deletedDir) Unlink(ctx context.Context, name string) syscall.Errno {
	if child := d.GetChild(name); child != nil {
		if text, is := child.Operations().(*deletedText); is && text.takeReader(ctx) {
			return d.Tell.Tell("unlink", virtual.Path(&d.Inode, name), 0, errCopied)
		}
	}
	return d.Dir.Unlink(ctx, name)
}

// deletedSource lists entries. Removing one purges it.
type deletedSource struct {
	o *Options

	mu     sync.Mutex
	listed map[string]remote.Entry // guarded by mu, by each of its names
	order  []string                // guarded by mu: names, newest first
	asked  time.Time               // guarded by mu: when the service was asked for them
	sent   uint64                  // guarded by mu: the changes that this mount had sent then
}

var _ virtual.Remover = (*deletedSource)(nil)

const (
	// mostDeleted is how many entries are listed.
	mostDeleted = 100_000
	// leastTTL is how long a listing is good for at least: ls -l looks each name up.
	leastTTL = time.Second
)

// fetch asks the service what it keeps.
func (s *deletedSource) fetch(ctx context.Context) error {
	asked, sent := time.Now(), s.o.Keeper.Changes()
	entries, err := virtual.Read(ctx, func(ctx context.Context) ([]remote.Entry, error) {
		return s.o.Keeper.GetDeleted(ctx, remote.Place{}, time.Time{}, mostDeleted)
	})
	if err != nil {
		return err
	}
	count := map[string]int{}
	for _, e := range entries {
		count[plainName(e)]++
	}
	listed, order := map[string]remote.Entry{}, make([]string, 0, len(entries))
	for _, e := range entries {
		name, full := plainName(e), fullName(e)
		if count[name] > 1 || len(name) > names.Max || numbered(name) {
			name = full
		}
		listed[name], listed[full] = e, e
		order = append(order, name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed, s.order, s.asked, s.sent = listed, order, asked, sent
	return nil
}

// plainName returns the name of an entry if no other one has it.
func plainName(e remote.Entry) string {
	switch e.Kind {
	case "paper":
		return names.Encode(e.Name) + names.Suffix
	case "pdf":
		return names.Encode(e.Name) + names.PDFEndings[0]
	}
	return names.Encode(e.Name)
}

// fullName returns the name that an entry always has, NAME~ENTRY. No plain name that is shown is one: see numbered.
func fullName(e remote.Entry) string {
	name, id := plainName(e), "~"+strconv.FormatInt(e.Entry, 10)
	return strings.ToValidUTF8(name[:min(len(name), names.Max-len(id))], "") + id
}

// numbered reports whether a name looks like a full one.
func numbered(name string) bool {
	i := strings.LastIndexByte(name, '~')
	return i >= 0 && i < len(name)-1 && strings.Trim(name[i+1:], "0123456789") == ""
}

func (s *deletedSource) List(ctx context.Context) ([]virtual.Entry, error) {
	if err := s.fetch(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := make([]virtual.Entry, len(s.order))
	for i, name := range s.order {
		entries[i] = virtual.FileEntry(name)
	}
	return entries, nil
}

// entry finds an entry in the last listing, unless that is old or this mount has changed something since.
func (s *deletedSource) entry(ctx context.Context, name string) (e remote.Entry, found bool, err error) {
	if strings.HasPrefix(name, ".") {
		return e, false, nil // no entry; file managers ask
	}
	known := func() (fresh bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		e, found = s.listed[name]
		return found && time.Since(s.asked) < max(s.o.TTL(), leastTTL) && s.sent == s.o.Keeper.Changes()
	}
	if !known() {
		err = s.fetch(ctx)
		known()
	}
	return e, found && err == nil, err
}

func (s *deletedSource) Find(ctx context.Context, name string) (virtual.Node, error) {
	e, found, err := s.entry(ctx, name)
	if err != nil || !found {
		return nil, err
	}
	about := virtual.About{ID: e.Entry, Time: func() time.Time { return e.At }}
	if e.Kind == "file" || e.Kind == "pdf" {
		return &deletedFile{Env: s.o.Env, About: about, keeper: s.o.Keeper, entry: e}, nil
	}
	return newDeletedText(s.o.Env, about, e), nil
}

// restore brings an entry back. After an answer that was lost, the service is asked whether it has done so.
func (s *deletedSource) restore(ctx context.Context, e remote.Entry, parent int64, name string) error {
	var err error
	var r remote.Restored
	if e.Replaced {
		r, err = s.o.Keeper.Restore(ctx, e.Entry, "")
	} else {
		r, err = s.o.Keeper.RestoreTo(ctx, e.Entry, parent, name)
	}
	if err == nil {
		err = s.o.noteRestored(ctx, r.Back)
	}
	failed, is := errors.AsType[*remote.Error](err)
	switch {
	case err == nil && !e.Replaced && !s.hasOther(e):
		s.left(e)
		return nil
	case !is:
		return err
	case failed.Code == remote.VersionConflict && e.Kind == "file":
		return syscall.EXDEV
	case failed.Code == remote.VersionConflict:
		return errno.Refuse(syscall.EEXIST, failed.Message)
	case failed.Ambiguous && s.gone(ctx, e):
		return nil
	}
	return s.orGone(ctx, e, err)
}

// gone reports whether the service is known not to keep an entry any more.
func (s *deletedSource) gone(ctx context.Context, e remote.Entry) bool {
	kept, err := s.o.Keeper.GetDeleted(ctx, remote.Place{}, time.Time{}, mostDeleted)
	return err == nil && !slices.ContainsFunc(kept, func(k remote.Entry) bool { return k.Entry == e.Entry })
}

// orGone returns err or, if the service refused a change because others have restored or purged the entry, or it has
// expired, ENOENT.
func (s *deletedSource) orGone(ctx context.Context, e remote.Entry, err error) error {
	failed, is := errors.AsType[*remote.Error](err)
	if !is || failed.Kind != remote.Refused || failed.Code != remote.Failure || !s.gone(ctx, e) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = time.Time{} // the listing is old
	return errno.Refuse(syscall.ENOENT, failed.Message)
}

// left takes an entry out of the listing, which stays good if this mount has changed nothing else.
func (s *deletedSource) left(e remote.Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent+1 == s.o.Keeper.Changes() {
		s.sent++
		maps.DeleteFunc(s.listed, func(_ string, other remote.Entry) bool { return other.Entry == e.Entry })
	}
}

// hasOther reports whether another entry is of the same thing: with that thing back, it is of what was replaced.
func (s *deletedSource) hasOther(e remote.Entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.listed {
		if other.Entry != e.Entry && other.Kind == e.Kind && other.ID == e.ID {
			return true
		}
	}
	return false
}

// Remove purges an entry.
func (s *deletedSource) Remove(ctx context.Context, name string) error {
	e, found, err := s.entry(ctx, name)
	switch {
	case err != nil:
		return err
	case !found:
		return syscall.ENOENT
	case !s.o.AllowDelete:
		return errno.Refuse(syscall.EPERM, "rm removes it here for good, and this mount deletes nothing: mount without --no-delete, or with --allow-delete")
	}
	return virtual.Change(ctx, func(ctx context.Context) error {
		if err := s.o.Keeper.Purge(ctx, e.Entry); err != nil {
			return s.orGone(ctx, e, err)
		}
		s.left(e)
		return nil
	}, func(error) {})
}

// Refusal tells what can be done here.
func (s *deletedSource) Refusal() string {
	return "; mv into media/ or papers/ brings back what was deleted, rm removes it for good"
}
