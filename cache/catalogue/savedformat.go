package catalogue

import (
	"fmt"
	"os"
	"time"

	"paperfs/cache/snapshot"
	"paperfs/remote"
	"paperfs/remote/durable"
)

// A saved catalogue has these records:
//
//	root address, root id as configured   the root it belongs to
//	validator                             empty if there is none, or for an answer with oddities, which each mount reports once
//	number of nodes, then for each in document order:
//	    id, parent, kind, name, ending, seen, version, edition, pages plus one (0: not told), has period [, from, to in Unix seconds]
//
// The file's mtime is the time of the fetch. So after a fetch that brings the same tree,
// touch sets the mtime and nothing is written.
const savedMagic = "paperfs catalogue 5\n"

// origin is the root that a saved catalogue belongs to. No other root can use the file.
type origin struct {
	rootURL string
	rootID  int64 // as configured, 0 if it was looked up
}

// save writes the snapshot to path. A reader finds either the old file or the complete new
// one, even after a power cut.
func save(path string, of origin, s *Snapshot) error {
	draft := path + ".tmp"
	if err := snapshot.Write(draft, savedMagic, func(w *snapshot.Writer) { s.save(w, of) }); err != nil {
		return err
	}
	// If the file system cannot set times, the time of writing is close enough.
	_ = touch(draft, s.fetched)
	return durable.Rename(draft, path)
}

// touch records that a later fetch found the saved tree unchanged.
func touch(path string, fetched time.Time) error {
	return os.Chtimes(path, time.Time{}, fetched)
}

func (s *Snapshot) save(w *snapshot.Writer, of origin) {
	w.Text(of.rootURL)
	w.Number(of.rootID)
	if s.odd {
		w.Text("")
	} else {
		w.Text(string(s.validator))
	}
	w.Number(int64(s.count))
	_ = s.eachItem(func(it item) error {
		w.Number(it.id)
		w.Number(it.parent)
		w.Number(int64(it.kind))
		w.Text(it.name)
		w.Text(it.ending)
		w.Number(int64(it.seen))
		w.Number(int64(it.own))
		w.Number(int64(it.edition))
		if it.pages.Told {
			w.Number(int64(it.pages.N) + 1)
		} else {
			w.Number(0)
		}
		if it.period.IsZero() {
			w.Number(0)
		} else {
			w.Number(1)
			w.Number(it.period.From.Unix())
			w.Number(it.period.To.Unix())
		}
		return nil
	})
}

// load reads a file that save wrote. It returns fs.ErrNotExist if there is none.
func load(path string, of origin) (s *Snapshot, err error) {
	defer limitGarbage()()
	err = snapshot.Read(path, savedMagic, func(r *snapshot.Reader) error {
		s, err = readSnapshot(r, of)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func readSnapshot(r *snapshot.Reader, of origin) (*Snapshot, error) {
	was := origin{rootURL: r.Text(), rootID: r.Number()}
	validator := remote.Validator(r.Text())
	count := r.Number()
	if r.Err() == nil && was != of {
		return nil, fmt.Errorf("the saved catalogue belongs to another root (%s, id %d)", was.rootURL, was.rootID)
	}
	b := newBuilder(nil, time.Time{})
	for n := int64(0); n < count && r.Err() == nil; n++ {
		it := readItem(r)
		if r.Err() != nil {
			break
		}
		if err := b.addItem(it); err != nil {
			return nil, err
		}
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	base, err := b.finish()
	if err != nil {
		return nil, err
	}
	s := newSnapshot(base, r.Time)
	s.validator = validator
	return s, nil
}

func readItem(r *snapshot.Reader) item {
	return item{id: r.Number(), parent: r.Number(), kind: remote.NodeKind(r.Number()),
		name: r.Text(), ending: r.Text(), seen: uint32(r.Number()), versions: readVersions(r), period: readPeriod(r)}
}

func readVersions(r *snapshot.Reader) versions {
	v := versions{own: remote.Version(r.Number()), edition: remote.Version(r.Number())}
	if pages := r.Number(); pages > 0 {
		v.pages = remote.PageTotal{Told: true, N: int32(pages - 1)}
	}
	return v
}

func readPeriod(r *snapshot.Reader) remote.Period {
	if r.Number() == 0 {
		return remote.Period{}
	}
	from := r.Number()
	return canonical(remote.Period{From: time.Unix(from, 0), To: time.Unix(r.Number(), 0)})
}
