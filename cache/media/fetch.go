package media

import (
	"context"
	"errors"
	"fmt"
	"os"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/spool"
)

// fetch sees to it that n's published content is open here: from the cache,
// else whole from its address. Callers at the same time share one download.
func (s *Store) fetch(ctx context.Context, n *node) error {
	n.body().load.Lock()
	defer n.body().load.Unlock()
	n.body().mu.RLock()
	done := s.loaded(n)
	n.body().mu.RUnlock()
	if done {
		return nil
	}
	f, pub, err := s.fetchNewest(ctx, n)
	if err != nil {
		return err
	}
	n.body().mu.Lock()
	defer n.body().mu.Unlock()
	n.body().dropHeld()
	if n.body().spool != nil || !s.inUse(n) {
		return f.Close() // written, or closed by everybody, meanwhile
	}
	n.body().held = &held{f: f, sha256: pub.sha256.String(), size: pub.size, unpin: s.contents.Pin(pub.sha256.String())}
	return nil
}

// fetchNewest opens n's published content, and tells which version that is. What
// others changed in the middle of the download is fetched again, if it is known.
func (s *Store) fetchNewest(ctx context.Context, n *node) (f *os.File, pub version, err error) {
	for {
		s.mu.RLock()
		was, name := n.pub, n.name
		s.mu.RUnlock()
		pub = was
		f, err = s.contents.Open(pub.sha256.String())
		if errors.Is(err, os.ErrNotExist) {
			f, err = s.download(ctx, n, name, &pub)
		}
		s.mu.RLock()
		changed := n.pub.differs(was)
		s.mu.RUnlock()
		if !changed || !Is(err, Damaged) {
			return f, pub, err
		}
	}
}

func noContent(name string) error {
	return &Error{Kind: NoContent, Name: name,
		Detail: "the content is not on this machine, and the service gives no address to fetch it from"}
}

// inUse reports whether n has open handles.
func (s *Store) inUse(n *node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.handles > 0
}

// download fetches the content of version pub into the cache, checks it and
// opens it. What was not known of the version is known afterwards.
func (s *Store) download(ctx context.Context, n *node, name string, pub *version) (*os.File, error) {
	if pub.gone() {
		return nil, &Error{Kind: Damaged, Name: name, Detail: "others deleted it at the service, and its content is not on this machine"}
	}
	if !pub.url.known() {
		*pub = s.withAddress(ctx, n)
	}
	if !pub.url.known() {
		return nil, noContent(name)
	}
	r, err := s.o.Service.Download(ctx, pub.address(), 0)
	if err != nil {
		return nil, err
	}
	most := pub.most()
	f, text, size, err := s.contents.Receive(r, pub.sha256.String(), most)
	if closing := r.Close(); err == nil && closing != nil {
		err = closing
	}
	if err != nil {
		closeFile(f)
		return nil, refusal.WithoutRoom(err)
	}
	sum := inode.DigestOf(text)
	if over := most >= 0 && size > most; over || pub.sha256.Known() && sum != pub.sha256 || pub.size >= 0 && size != pub.size {
		closeFile(f)
		s.flights.fresh(s.fetchTree) // now: who has the name may look nothing up for a long time
		length := fmt.Sprintf("%d bytes", size)
		if over {
			length = fmt.Sprintf("more than %d bytes", most)
		}
		return nil, &Error{Kind: Damaged, Name: name,
			Detail: fmt.Sprintf("its address gives other content (%s) than the service's tree says; the tree is read again", length)}
	}
	s.mu.Lock()
	if n.pub.id == pub.id && n.pub.url == pub.url && !n.pub.differs(version{size: size, sha256: sum, kb: n.pub.kb}) {
		n.pub.sha256, n.pub.size = sum, size
		s.keepAttrLocked(n)
	}
	s.mu.Unlock()
	pub.sha256, pub.size = sum, size
	return f, nil
}

// withAddress is what the service holds of n, with its address if the tree
// tells one: the answer to an upload does not.
func (s *Store) withAddress(ctx context.Context, n *node) version {
	if s.offersTree() {
		if err := s.Refresh(ctx); err != nil {
			s.o.Log.Warn("the address of a media file cannot be looked up", "error", err)
		}
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.pub
}

// Address is where a file's published content can be had, as the service told
// it; empty where it did not.
func (s *Store) Address(ino Ino) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n := s.nodes[ino]; n != nil && n.kind == File {
		return n.pub.address()
	}
	return ""
}

// publishedContent is the content of n as the service holds it, for sending it
// again under another name.
func (s *Store) publishedContent(ctx context.Context, n *node) (*spool.Content, error) {
	s.mu.RLock()
	pub, name := n.pub, n.name
	s.mu.RUnlock()
	if pub.size == 0 {
		return new(spool.Content), nil
	}
	f, err := s.contents.Open(pub.sha256.String())
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.spooled(n, pub.sha256.String())
	}
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.download(ctx, n, name, &pub)
	}
	if err != nil {
		return nil, err
	}
	return &spool.Content{F: f, Length: pub.size}, nil
}

// spooled opens n's spool once more if it holds what was published.
func (s *Store) spooled(n *node, sum string) (*os.File, error) {
	b := n.body()
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.spool == nil || b.gen != b.sent || b.sum != sum {
		return nil, os.ErrNotExist
	}
	f, err := os.Open(b.spool.Path)
	if err != nil {
		return nil, os.ErrNotExist
	}
	return f, nil
}

// closeFile closes a file that was only read, if there is one.
func closeFile(f *os.File) {
	if f != nil {
		_ = f.Close()
	}
}
