package spool

import (
	"golang.org/x/sys/unix"

	"paperfs/cache/media/refusal"
	"paperfs/remote"
)

func (s *Dir) WriteAt(sp *File, p []byte, off int64) (int, error) {
	end := off + int64(len(p))
	if end > longestFile {
		return 0, &refusal.Error{Kind: refusal.TooBig, Detail: "beyond the longest possible file"}
	}
	if err := s.grown(sp, end); err != nil {
		return 0, err
	}
	n, err := sp.F.WriteAt(p, off)
	reached := max(sp.Size, off+int64(n))
	if end > sp.Size {
		s.Give(sp, end-reached)
	}
	sp.measureWrite(p[:n], off)
	if s.Synced {
		sp.writeBack(reached)
	}
	sp.Size = reached
	return n, err
}

// writeBackSize is how much of what is appended the disk begins to take at a time.
const writeBackSize = 8 << 20

// writeBack has the disk begin to take what grows to a size, a piece at a time: the sync
// at the close has less left to do. What fails shows there.
func (sp *File) writeBack(size int64) {
	from, to := sp.Size/writeBackSize*writeBackSize, size/writeBackSize*writeBackSize
	if from < to {
		_ = unix.SyncFileRange(int(sp.F.Fd()), from, to-from, unix.SYNC_FILE_RANGE_WRITE)
	}
}

// longestFile is how long a file can be: as long as on the usual disks.
const longestFile = 16 << 40

func (s *Dir) Resize(sp *File, size int64) error {
	if size > longestFile {
		return &refusal.Error{Kind: refusal.TooBig, Detail: "beyond the longest possible file"}
	}
	if err := s.grown(sp, size); err != nil {
		return err
	}
	if err := sp.F.Truncate(size); err != nil {
		s.Give(sp, max(0, size-sp.Size))
		return err
	}
	s.Give(sp, max(0, sp.Size-size))
	if size != sp.Size {
		sp.measure, sp.Kept = nil, ""
	}
	if size == 0 {
		sp.measure = new(remote.Measure)
	}
	sp.Size = size
	return nil
}

// measureWrite measures what was written at off of a spool that is sp.size
// long, so that an upload need not read it once before it sends.
func (sp *File) measureWrite(p []byte, off int64) {
	sp.Kept = ""
	switch {
	case sp.measure == nil:
	case off == sp.Size:
		_, _ = sp.measure.Write(p)
	default:
		sp.measure = nil
	}
}

// Keep sees to Kept of a spool that does not change from here on. It waits until all that was
// written is measured.
func (sp *File) Keep() {
	if sp.measure != nil {
		sp.Kept = sp.measure.Kept()
	}
}
