package body

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/reading"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/reconcile"
)

// OpenSource opens what reads n's published content; the caller releases it. It returns nil if there is
// nothing to read there: the content is empty, or a program has written it by now. It sends no
// request, except for a lost address.
func (s *Bodies) OpenSource(ctx context.Context, n *tree.Node) (*reading.Source, error) {
	b := n.Body()
	b.Mu.RLock()
	none, source := b.Spool != nil || s.emptyBodyLocked(n), b.Source
	open := !none && source != nil && source.Reopen()
	b.Mu.RUnlock()
	switch {
	case none:
		return nil, nil
	case open:
		return source, nil
	case source != nil:
		return nil, s.explained(n, source.Err())
	}
	if err := b.Load.LockUntil(ctx); err != nil {
		return nil, err
	}
	defer b.Load.Unlock()
	pub, err := s.fetchable(ctx, n)
	if err != nil {
		return nil, err
	}
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Spool != nil {
		return nil, nil
	}
	if b.Source == nil {
		b.Read(s.toRead(n, pub), s.Reads)
	}
	if source = b.Source; !source.Reopen() {
		return nil, s.explained(n, source.Err())
	}
	if !s.names.InUse(n) { // the last release came first
		b.CloseSource()
	}
	return source, nil
}

// fetchable returns n's version at the service, with an address unless it is here.
func (s *Bodies) fetchable(ctx context.Context, n *tree.Node) (tree.Version, error) {
	s.names.Mu.RLock()
	pub, name, unlinked, pdf := n.Pub, n.Name, n.Parent == nil, n.PDF != nil
	s.names.Mu.RUnlock()
	switch {
	case pdf:
		f, err := s.OpenPDF(pub.SHA256.String())
		if err == nil {
			_ = f.Close() // it was only opened
		}
		return pub, err
	case pub.URL.Known() || s.Contents.Has(pub.SHA256.String()) || s.hasOwn(pub):
		return pub, nil
	case unlinked:
		return pub, superseding(name)
	}
	switch pub = s.withAddress(ctx, n); {
	case pub.URL.Known():
		return pub, nil
	case s.names.Unlinked(n): // the answer told of another version
		return pub, superseding(name)
	}
	return pub, noContent(name)
}

func superseding(name string) error {
	return &refusal.Error{Kind: refusal.Superseded, Name: name, Detail: "somebody else has changed or deleted it on the service since it was opened, and the version that was opened is not on this machine: open it again"}
}

// toRead returns a version of n as package reading knows it.
func (s *Bodies) toRead(n *tree.Node, pub tree.Version) reading.Version {
	pdf := s.names.Is(func() bool { return n.PDF != nil })
	v := reading.Version{
		Address: pub.Address(), Size: pub.Size, Most: pub.Most(), SHA256: pub.SHA256.String(),
		Place:  func() string { return s.PlaceOf(n) },
		Summed: func(sum string, size int64) { s.learn(n, pub, inode.DigestOf(sum), size) },
		Own: func() (*os.File, error) {
			if pdf {
				return s.ownPDF(pub.SHA256.String())
			}
			return s.own(pub)
		},
	}
	if pdf { // this mount has summed what it sent
		v.Right = func(time.Time) bool { return true }
	}
	return v
}

// PlaceOf returns where a person finds n, or found it.
func (s *Bodies) PlaceOf(n *tree.Node) string {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	return tree.MountPath(n.LastPath())
}

// learn records the size and the digest of version pub of n, if they were unknown.
func (s *Bodies) learn(n *tree.Node, pub tree.Version, sum inode.Digest, size int64) {
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	if n.Pub.ID != pub.ID || n.Pub.URL != pub.URL || n.Pub.Differs(tree.Version{Size: size, SHA256: sum, KB: n.Pub.KB}) {
		return
	}
	known := n.Pub.Merge(tree.Version{Size: size, SHA256: sum, KB: -1})
	if known != n.Pub {
		n.Pub = known
		s.names.SaveAttrLocked(n)
	}
}

// BeginReading waits until the service has told what n's content is. If it has another version by now, the
// tree says so first, and the kernel opens that.
func (s *Bodies) BeginReading(ctx context.Context, n *tree.Node) error {
	s.names.Mu.RLock()
	pub := n.Pub
	s.names.Mu.RUnlock()
	n.Body().Renew()
	source, err := s.OpenSource(ctx, n)
	if source == nil && err == nil {
		err = s.names.NotSent(n)
	}
	if source == nil {
		return err
	}
	defer source.Release()
	err = source.Begin(ctx)
	if err == nil {
		s.learn(n, pub, inode.Digest{}, source.Size())
		return nil
	}
	if err = s.Explain(ctx, n, err); refusal.Is(err, refusal.Superseded) && s.names.Unlinked(n) {
		return names.ErrStale
	}
	return err
}

// otherVersion reports whether an error of package reading may mean that the service has another
// version.
func otherVersion(err error) bool {
	_, damaged := errors.AsType[*reading.DamagedError](err)
	return damaged || errors.Is(err, reading.ErrSuperseded)
}

// Explain returns an error of package reading as the store's. It looks at the tree first: if others
// have replaced the content, the name no longer refers to n.
func (s *Bodies) Explain(ctx context.Context, n *tree.Node, err error) error {
	if err != nil && otherVersion(err) {
		s.lookForOther(ctx, n)
	}
	return s.explained(n, err)
}

// lookForOther reads the tree, which may show another version than n. It does not if no name shows n
// any more, or if the tree showed no other version a moment ago: requests are few, and a program may
// open such a file again and again.
func (s *Bodies) lookForOther(ctx context.Context, n *tree.Node) {
	b, now := n.Body(), s.names.Aging()
	b.Mu.RLock()
	vain := !b.Vain.IsZero() && now.Sub(b.Vain) < reconcile.RetryPause
	b.Mu.RUnlock()
	if vain || s.names.Unlinked(n) || s.reconciler.Refresh(ctx) != nil || s.names.Unlinked(n) {
		return
	}
	b.Mu.Lock()
	b.Vain = now
	b.Mu.Unlock()
}

// explained is explain once the tree was read.
func (s *Bodies) explained(n *tree.Node, err error) error {
	if err == nil || !otherVersion(err) {
		return err
	}
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	if n.Parent == nil || errors.Is(err, reading.ErrSuperseded) {
		return superseding(n.Name)
	}
	return &refusal.Error{Kind: refusal.Damaged, Name: n.Name, Detail: fmt.Sprintf("its address returned content that does not match the media tree (%v)", err)}
}

// LoadWhole waits until a Source has all of its content. If the cache has no room for that but the disk
// has, all of it is read once more.
func (s *Bodies) LoadWhole(ctx context.Context, source *reading.Source) error {
	if err := source.Load(ctx); err != nil || source.File() != nil || source.Size() == 0 {
		return err
	}
	sum, _ := source.Verified()
	if err := s.Contents.Receive(source.Reader(ctx), sum, source.Size()); err != nil {
		return refusal.WithoutRoom(err)
	}
	if !source.Find() {
		return &refusal.Error{Kind: refusal.Full, Detail: "there is no room to fetch the content"}
	}
	return nil
}

func noContent(name string) error {
	return &refusal.Error{Kind: refusal.NoContent, Name: name,
		Detail: "the content is not on this machine, and the service has no address for it"}
}

// withAddress returns the version of n at the service. It refreshes the tree for the address,
// which the answer to an upload lacks.
func (s *Bodies) withAddress(ctx context.Context, n *tree.Node) tree.Version {
	if err := s.reconciler.Refresh(ctx); err != nil {
		s.o.Log.Warn("the address of a media file cannot be looked up", "error", err)
	}
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	return n.Pub
}

// Address returns the address of a file's published content as the service reported it, "" if
// unknown.
func (s *Bodies) Address(ino inode.Ino) string {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	if n := s.names.Nodes[ino]; n != nil && n.Kind == inode.File {
		return n.Pub.Address()
	}
	return ""
}

// emptyBodyLocked reports whether n, which has no spool, has no content either.
func (s *Bodies) emptyBodyLocked(n *tree.Node) bool {
	return s.names.Is(func() bool { return n.Blank || n.Body().Source == nil && n.Pub.ID == 0 || n.Pub.Size == 0 })
}

// OpenOwnBodyLocked makes the service's own file of pub of n, which this mount has sent, what is read next:
// its SHA-256 is right if nothing was written to it since then. The spool, which may be another name of the
// file, must be gone: its removal touches the file. Body.Mu must be held.
func (s *Bodies) OpenOwnBodyLocked(n *tree.Node, pub tree.Version, since time.Time) {
	b := n.Body()
	v := s.toRead(n, pub)
	v.Right = since.Equal
	b.Read(v, s.Reads)
	b.CloseSource()
}
