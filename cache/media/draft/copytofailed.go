package draft

import (
	"os"

	"paperfs/cache/content/failed"
)

// CopyToFailed copies a sent PDF for which the service could not generate pages to failed/, with
// the reason. It does not replace an entry that was never sent.
func (s *Set) CopyToFailed(pdf *os.File, paper int64, path, reason string) error {
	info, err := pdf.Stat()
	if err != nil {
		return err
	}
	row := s.New(paper, path).record
	if err := s.note(row); err != nil {
		return err
	}
	defer s.forget(row)
	sp, err := s.o.Spools.From(row.ino, pdf, info.Size())
	if err != nil {
		return err
	}
	sp.Close()
	err = s.o.Failures.AddDamaged(sp.Path, failed.Entry{Path: path, Reason: reason, Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(), Paper: paper})
	if err != nil {
		s.o.Spools.Drop(sp)
	}
	return err
}
