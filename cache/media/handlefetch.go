package media

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/reading"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// open opens what reads n's published content; the caller releases it. It returns nil if there is
// nothing to read there: the content is empty, or a program has written it by now. It sends no
// request, except for a lost address.
func (s *Store) open(ctx context.Context, n *tree.Node) (*reading.Source, error) {
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
		b.Read(s.toRead(n, pub), s.reads)
	}
	if source = b.Source; !source.Reopen() {
		return nil, s.explained(n, source.Err())
	}
	if !s.inUse(n) { // the last release came first
		b.CloseSource()
	}
	return source, nil
}

// fetchable returns n's version at the service, with an address unless it is here.
func (s *Store) fetchable(ctx context.Context, n *tree.Node) (tree.Version, error) {
	s.mu.RLock()
	pub, name, apart := n.Pub, n.Name, n.Parent == nil
	s.mu.RUnlock()
	switch {
	case n.PDF != nil:
		f, err := s.OpenPDF(pub.SHA256.String())
		if err == nil {
			_ = f.Close() // it was only opened
		}
		return pub, err
	case pub.URL.Known() || s.contents.Has(pub.SHA256.String()) || s.hasOwn(pub):
		return pub, nil
	case apart:
		return pub, superseding(name)
	}
	switch pub = s.withAddress(ctx, n); {
	case pub.URL.Known():
		return pub, nil
	case s.apart(n): // the answer told of another version
		return pub, superseding(name)
	}
	return pub, noContent(name)
}

func superseding(name string) error {
	return &Error{Kind: Superseded, Name: name, Detail: "somebody else has changed or deleted it on the service since it was opened, and the version that was opened is not on this machine: open it again"}
}

// apart reports whether no name shows n.
func (s *Store) apart(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Parent == nil
}

// toRead returns a version of n as package reading knows it.
func (s *Store) toRead(n *tree.Node, pub tree.Version) reading.Version {
	v := reading.Version{
		Address: pub.Address(), Size: pub.Size, Most: pub.Most(), SHA256: pub.SHA256.String(),
		Place:  func() string { return s.placeOf(n) },
		Summed: func(sum string, size int64) { s.learn(n, pub, inode.DigestOf(sum), size) },
		Own: func() (*os.File, error) {
			if n.PDF != nil {
				return s.ownPDF(pub.SHA256.String())
			}
			return s.own(pub)
		},
	}
	if n.PDF != nil { // this mount has summed what it sent
		v.Right = func(time.Time) bool { return true }
	}
	return v
}

// placeOf returns where a person finds n, or found it.
func (s *Store) placeOf(n *tree.Node) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return tree.MountPath(n.LastPath())
}

// learn records the size and the digest of version pub of n, if they were unknown.
func (s *Store) learn(n *tree.Node, pub tree.Version, sum inode.Digest, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Pub.ID != pub.ID || n.Pub.URL != pub.URL || n.Pub.Differs(tree.Version{Size: size, SHA256: sum, KB: n.Pub.KB}) {
		return
	}
	known := n.Pub.Merge(tree.Version{Size: size, SHA256: sum, KB: -1})
	if known != n.Pub {
		n.Pub = known
		s.saveAttrLocked(n)
	}
}

// begin waits until the service has told what n's content is. If it has another version by now, the
// tree says so first, and the kernel opens that.
func (s *Store) begin(ctx context.Context, n *tree.Node) error {
	s.mu.RLock()
	pub := n.Pub
	s.mu.RUnlock()
	n.Body().Renew()
	source, err := s.open(ctx, n)
	if source == nil && err == nil {
		err = s.notSent(n)
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
	if err = s.explain(ctx, n, err); Is(err, Superseded) && s.apart(n) {
		return errLetGo
	}
	return err
}

// notSent returns errNotKept if n is the PDF of a paper and nothing of it is here.
func (s *Store) notSent(n *tree.Node) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.IsPDF() && n.PDF.Paper != 0 && n.Pub.ID == 0 && !n.Written && !n.Blank {
		return errNotKept
	}
	return nil
}

// otherVersion reports whether an error of package reading may mean that the service has another
// version.
func otherVersion(err error) bool {
	_, damaged := errors.AsType[*reading.DamagedError](err)
	return damaged || errors.Is(err, reading.ErrSuperseded)
}

// explain returns an error of package reading as the store's. It looks at the tree first: if others
// have replaced the content, the name lets go of n.
func (s *Store) explain(ctx context.Context, n *tree.Node, err error) error {
	if err != nil && otherVersion(err) {
		s.lookForOther(ctx, n)
	}
	return s.explained(n, err)
}

// lookForOther reads the tree, which may show another version than n. It does not if no name shows n
// any more, or if the tree showed no other version a moment ago: requests are few, and a program may
// open such a file again and again.
func (s *Store) lookForOther(ctx context.Context, n *tree.Node) {
	b, now := n.Body(), s.aging()
	b.Mu.RLock()
	vain := !b.Vain.IsZero() && now.Sub(b.Vain) < retryPause
	b.Mu.RUnlock()
	if vain || s.apart(n) || s.Refresh(ctx) != nil || s.apart(n) {
		return
	}
	b.Mu.Lock()
	b.Vain = now
	b.Mu.Unlock()
}

// explained is explain once the tree was read.
func (s *Store) explained(n *tree.Node, err error) error {
	if err == nil || !otherVersion(err) {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.Parent == nil || errors.Is(err, reading.ErrSuperseded) {
		return superseding(n.Name)
	}
	return &Error{Kind: Damaged, Name: n.Name, Detail: fmt.Sprintf("its address returned content that does not match the media tree (%v)", err)}
}

// fetch makes all of n's content available in a local file, also what its draft lacks.
func (s *Store) fetch(ctx context.Context, n *tree.Node) error {
	source, err := s.open(ctx, n)
	if source == nil {
		s.complete(n)
		return err
	}
	defer source.Release()
	return s.explain(ctx, n, s.loadWhole(ctx, source))
}

// loadWhole waits until a Source has all of its content. If the cache has no room for that but the disk
// has, all of it is read once more.
func (s *Store) loadWhole(ctx context.Context, source *reading.Source) error {
	if err := source.Load(ctx); err != nil || source.File() != nil || source.Size() == 0 {
		return err
	}
	sum, _ := source.Verified()
	if err := s.contents.Receive(source.Reader(ctx), sum, source.Size()); err != nil {
		return refusal.WithoutRoom(err)
	}
	if !source.Find() {
		return &Error{Kind: Full, Detail: "there is no room to fetch the content"}
	}
	return nil
}

func noContent(name string) error {
	return &Error{Kind: NoContent, Name: name,
		Detail: "the content is not on this machine, and the service has no address for it"}
}

// inUse reports whether n has open handles.
func (s *Store) inUse(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Handles > 0
}

// withAddress returns the version of n at the service. It refreshes the tree for the address,
// which the answer to an upload lacks.
func (s *Store) withAddress(ctx context.Context, n *tree.Node) tree.Version {
	if err := s.Refresh(ctx); err != nil {
		s.o.Log.Warn("the address of a media file cannot be looked up", "error", err)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Pub
}

// Address returns the address of a file's published content as the service reported it, "" if
// unknown.
func (s *Store) Address(ino Ino) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n := s.nodes[ino]; n != nil && n.Kind == File {
		return n.Pub.Address()
	}
	return ""
}

// evictable is what can be fetched again: cached content, and what is here of content that is read.
type evictable struct {
	*contentcache.Cache
	reads *reading.Pool
}

// Evict implements disk.Cache.
func (e evictable) Evict(n int64) {
	before := e.Size()
	e.Cache.Evict(n)
	if n -= before - e.Size(); n > 0 {
		e.reads.Evict(n)
	}
}
