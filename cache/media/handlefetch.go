package media

import (
	"context"
	"errors"
	"fmt"
	"os"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// fetch opens n's published content from the cache, downloading it whole if necessary.
// Concurrent callers share one download.
func (s *Store) fetch(ctx context.Context, n *tree.Node) error {
	n.Body().Load.Lock()
	defer n.Body().Load.Unlock()
	n.Body().Mu.RLock()
	done := s.loadedBodyLocked(n)
	n.Body().Mu.RUnlock()
	if done {
		return nil
	}
	f, pub, err := s.openVersion(ctx, n)
	if err != nil {
		return err
	}
	n.Body().Mu.Lock()
	defer n.Body().Mu.Unlock()
	n.Body().DropCached()
	if n.Body().Spool != nil || !s.inUse(n) {
		return f.Close() // the file was written or closed in the meantime
	}
	n.Body().Cached = &tree.Cached{F: f, Size: pub.Size, Unpin: s.contents.Pin(pub.SHA256.String())}
	return nil
}

// openVersion opens n's published content and returns its version. If others have replaced it at the
// service, only this machine may still have it.
func (s *Store) openVersion(ctx context.Context, n *tree.Node) (f *os.File, pub tree.Version, err error) {
	s.mu.RLock()
	pub, name := n.Pub, n.Name
	s.mu.RUnlock()
	f, err = s.contents.Open(pub.SHA256.String())
	if errors.Is(err, os.ErrNotExist) && !s.apart(n) {
		f, err = s.download(ctx, n, name, &pub)
	}
	if err != nil && s.apart(n) {
		err = &Error{Kind: Superseded, Name: name, Detail: "others have changed or deleted it on the service since it was opened, and the version that was opened is not on this machine: open it again"}
	}
	return f, pub, err
}

// apart reports whether no name shows n.
func (s *Store) apart(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Parent == nil
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

// download fetches version pub into the cache, verifies it and opens it. It fills in size and
// digest if they were unknown.
func (s *Store) download(ctx context.Context, n *tree.Node, name string, pub *tree.Version) (*os.File, error) {
	if !pub.URL.Known() {
		*pub = s.withAddress(ctx, n)
	}
	if !pub.URL.Known() {
		return nil, noContent(name)
	}
	r, err := s.o.Service.Download(ctx, pub.Address(), remote.Part{})
	if err != nil {
		return nil, err
	}
	most := pub.Most()
	f, text, size, err := s.contents.Receive(r, pub.SHA256.String(), most)
	if closing := r.Close(); err == nil && closing != nil {
		err = closing
	}
	if err != nil {
		closeFile(f)
		return nil, refusal.WithoutRoom(err)
	}
	sum := inode.DigestOf(text)
	if over := most >= 0 && size > most; over || pub.SHA256.Known() && sum != pub.SHA256 || pub.Size >= 0 && size != pub.Size {
		closeFile(f)
		_ = s.Refresh(ctx) // others may have replaced it: then this inode loses its name now
		length := fmt.Sprintf("%d bytes", size)
		if over {
			length = fmt.Sprintf("more than %d bytes", most)
		}
		return nil, &Error{Kind: Damaged, Name: name,
			Detail: fmt.Sprintf("its address returned content (%s) that does not match the media tree; paperfs reads the tree again", length)}
	}
	s.mu.Lock()
	if n.Pub.ID == pub.ID && n.Pub.URL == pub.URL && !n.Pub.Differs(tree.Version{Size: size, SHA256: sum, KB: n.Pub.KB}) {
		n.Pub.SHA256, n.Pub.Size = sum, size
		s.saveAttrLocked(n)
	}
	s.mu.Unlock()
	pub.SHA256, pub.Size = sum, size
	return f, nil
}

// withAddress returns the version of n at the service. It refreshes the tree for the address,
// which the answer to an upload lacks.
func (s *Store) withAddress(ctx context.Context, n *tree.Node) tree.Version {
	if s.offersTree() {
		if err := s.Refresh(ctx); err != nil {
			s.o.Log.Warn("the address of a media file cannot be looked up", "error", err)
		}
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

// publishedContent opens the published content of n, to be sent under another name.
func (s *Store) publishedContent(ctx context.Context, n *tree.Node) (*spool.Content, error) {
	s.mu.RLock()
	pub, name := n.Pub, n.Name
	s.mu.RUnlock()
	if pub.Size == 0 {
		return new(spool.Content), nil
	}
	f, err := s.contents.Open(pub.SHA256.String())
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.spooled(n, pub.SHA256.String())
	}
	if errors.Is(err, os.ErrNotExist) {
		f, err = s.download(ctx, n, name, &pub)
	}
	if err != nil {
		return nil, err
	}
	return &spool.Content{F: f, Length: pub.Size}, nil
}

// spooled opens n's spool a second time if it holds the published content.
func (s *Store) spooled(n *tree.Node, sum string) (*os.File, error) {
	b := n.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	if b.Spool == nil || b.Gen != b.Sent || b.Sum != sum {
		return nil, os.ErrNotExist
	}
	f, err := os.Open(b.Spool.Path)
	if err != nil {
		return nil, os.ErrNotExist
	}
	return f, nil
}

// closeFile closes f, which was only read and may be nil.
func closeFile(f *os.File) {
	if f != nil {
		_ = f.Close()
	}
}
