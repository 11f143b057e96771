package document

import (
	"errors"
	"slices"
)

// ForgetPapers deletes all records about papers, because their ids now refer to other
// data.
func (l *Cache) ForgetPapers() error {
	for _, table := range []string{"source", "source_before", "job", "preview"} {
		if _, err := l.db.Exec("DELETE FROM " + table); err != nil {
			return err
		}
	}
	return nil
}

// SourcesOf returns, by paper, the PDFs that were sent from this machine and must be kept:
// the last one first, then the older ones, newest first.
func (l *Cache) SourcesOf() (map[int64][]Source, error) {
	sums, err := l.Sources()
	if err != nil {
		return nil, err
	}
	all := make(map[int64][]Source, len(sums))
	for paper := range sums {
		if all[paper], err = l.sourcesOf(paper); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (l *Cache) sourcesOf(paper int64) (all []Source, err error) {
	last, ok, err := l.Source(paper)
	if err != nil {
		return nil, err
	}
	if ok {
		all = append(all, last)
	}
	older, err := l.olderSources(paper)
	for _, s := range older {
		same := func(newer Source) bool { return newer.SHA256 == s.SHA256 }
		if !slices.ContainsFunc(all, same) {
			all = append(all, s)
		}
	}
	return all, err
}

// Deleted forgets a deleted paper. Its jobs stay in the list of jobs.
func (l *Cache) Deleted(paper int64) error {
	l.Drop(paper)
	var errs []error
	for _, change := range []string{`DELETE FROM source WHERE paper = ?`, `DELETE FROM source_before WHERE paper = ?`, `UPDATE job SET paper = NULL WHERE paper = ?`} {
		_, err := l.db.Exec(change, paper)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, l.pinSources(paper))...)
}
