package naming

import (
	"context"
	"errors"
	"strconv"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/handle"
	"paperfs/cache/media/names"
	"paperfs/cache/media/upload"
)

// CreatePDF creates a PDF in a twin and opens it for writing. It sends nothing. It fails with Exists if programs write the PDF there, or
// it is queued; one that was sent stays with those that have it open.
func (s *Naming) CreatePDF(twin inode.Ino, name string, pdf tree.PDF) (inode.Attr, *handle.Handle, error) {
	if err := s.o.State.Whole(); err != nil {
		return inode.Attr{}, nil, err
	}
	sent, err := s.names.SentVersion(pdf.Paper)
	if err != nil {
		return inode.Attr{}, nil, err
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	d, err := s.names.DirectoryLocked(twin)
	if err != nil {
		return inode.Attr{}, nil, err
	}
	if is := d.Children[name]; is != nil && is.Holds() {
		return inode.Attr{}, nil, refusal.NameTaken(name)
	} else if is != nil {
		if err := s.names.OtherNameLocked(is, pdf.Other); err != nil {
			return inode.Attr{}, nil, err
		}
		s.names.DetachLocked(is, nil, names.Superseded(is.Path()))
	}
	sent.ModTime = s.names.Now()
	n := s.names.NewPDFLocked(d, name, pdf, sent)
	h := s.handles.CreatedLocked(n)
	return n.Attr(), h, nil
}

// RemovePDF removes the name of a PDF in a twin: what is written or queued there is not sent, unless a request with all of it
// is under way. Neither a kill nor a full disk brings it back.
func (s *Naming) RemovePDF(twin inode.Ino, name string) error {
	if err := s.bodies.EnterFor(journal.RoomToRemove); err != nil {
		return err
	}
	defer s.names.Work.Done()
	s.names.Mu.Lock()
	n, err := s.names.ChildLocked(twin, name)
	if err != nil {
		s.names.Mu.Unlock()
		return nil
	}
	serial := uint64(0)
	if n.Delivery != nil {
		serial = n.Delivery.Spool
		s.names.StopLocked(n.Delivery)
	}
	s.names.RemoveLocked(n, tree.Link{Dir: n.Parent, Name: name})
	upto := s.names.UptoLocked()
	s.names.Mu.Unlock()
	s.bodies.LeftQueue(n, serial, upto)
	s.bodies.DropRemoved(n)
	return nil
}

// PlaceRemoved removes the twin of a category or paper that was deleted here, with what is written or queued there.
func (s *Naming) PlaceRemoved(id int64) {
	s.names.Mu.RLock()
	twin, names := s.names.Papers.Children[strconv.FormatInt(id, 10)], []string(nil)
	if twin != nil {
		for name := range twin.Children {
			names = append(names, name)
		}
	}
	s.names.Mu.RUnlock()
	for _, name := range names {
		_ = s.RemovePDF(twin.Ino, name)
	}
}

// RetryPDF sends an entry of failed/ as a PDF, and removes the entry if that succeeds. It returns the paper.
func (s *Naming) RetryPDF(ctx context.Context, entry string, pdf tree.PDF) (paper int64, err error) {
	e, f, end, err := s.uploads.BeginRetry(entry)
	if err != nil {
		return 0, err
	}
	defer end()
	p := &upload.Sending{PDF: pdf, Written: e.ModTime}
	up, err := s.uploads.SendPDF(ctx, p, &spool.Content{F: f, Length: e.Size})
	if err != nil {
		return 0, err
	}
	if twin := s.names.FindTwin(p.Paper); twin != 0 { // what is written or queued there is older
		err = s.RemovePDF(twin, names.Source)
	}
	return p.Paper, errors.Join(err, s.uploads.SentFailed(e, names.VersionOf(up)))
}
