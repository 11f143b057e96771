package spool

import (
	"golang.org/x/sys/unix"

	"paperfs/cache/content/refusal"
	"paperfs/remote"
)

func (s *Dir) WriteAt(sp *File, p []byte, off int64) (int, error) {
	end := off + int64(len(p))
	if end > longestFile {
		return 0, &refusal.Error{Kind: refusal.TooBig, Detail: "beyond the maximum file size"}
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
	sp.wrote(off, off+int64(n))
	if s.Synced {
		sp.writeBack(reached)
	}
	sp.Size = reached
	if sp.measure == nil || err != nil {
		sp.Early.Stop()
	}
	sp.Early.grew(sp.Size)
	return n, err
}

// writeBackSize is how much appended data is written back at a time.
const writeBackSize = 8 << 20

// writeBack starts write-back of appended data, a piece at a time, so that the sync at the
// close has less left to do. The sync reports any failure.
func (sp *File) writeBack(size int64) {
	from, to := sp.Size/writeBackSize*writeBackSize, size/writeBackSize*writeBackSize
	if from < to {
		_ = unix.SyncFileRange(int(sp.F.Fd()), from, to-from, unix.SYNC_FILE_RANGE_WRITE)
	}
}

// longestFile is the maximum file size, that of common file systems (ext4).
const longestFile = 16 << 40

func (s *Dir) Resize(sp *File, size int64) error {
	if size > longestFile {
		return &refusal.Error{Kind: refusal.TooBig, Detail: "beyond the maximum file size"}
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
		sp.Early.Stop()
	}
	if size == 0 {
		sp.measure = new(remote.Measure)
	}
	sp.Size = size
	sp.cut(size)
	return nil
}

// measureWrite adds a write at off, before sp.Size is updated, to the measure, so that an
// upload need not read the content first.
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

// Keep sets Kept for a spool that will not change any more. It waits until everything written
// is measured.
func (sp *File) Keep() {
	if sp.measure != nil {
		sp.Kept = sp.measure.Kept()
	}
}
