package service

import (
	"errors"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// mediaRoot is the path of the media library in paths of entries.
const mediaRoot = "/media"

// kindWords are the kinds of entries in answers.
var kindWords = map[store.KeptKind]string{store.KeptFile: "file", store.KeptDir: "directory"}

// entryID reads the number of an entry. The numbers are no ids of the contract, and not bounded.
func (c *call) entryID() (int64, error) { return c.integer("entryID", 1, 1<<62) }

// since reads a time; none means the beginning.
func (c *call) since() (time.Time, error) {
	text := strings.TrimSpace(c.param("since"))
	if text == "" {
		return time.Unix(0, 0), nil
	}
	at, ok := rules.Time(text)
	if !ok {
		return at, fault.Invalid("since has to be a time in UTC, as 2031-03-01 06:00:00.")
	}
	return at, nil
}

// keptPlaces knows the directories that are there or were deleted, by id. Where a directory is not known
// any more, what was in it counts as having been at the top.
type keptPlaces struct {
	there map[int64]store.Dir
	gone  map[int64]store.Kept
	paths map[int64]string
}

func findKeptPlaces(tx store.Reader, tenant int64) (*keptPlaces, error) {
	p := &keptPlaces{map[int64]store.Dir{}, map[int64]store.Kept{}, map[int64]string{0: mediaRoot}}
	dirs, err := tx.Dirs(tenant)
	if err != nil {
		return nil, err
	}
	for _, d := range dirs {
		p.there[d.ID] = d
	}
	gone, err := tx.KeptDirs(tenant)
	for _, k := range gone {
		p.gone[k.File.ID] = k // the newest entry
	}
	return p, err
}

// dir returns the path of a directory.
func (p *keptPlaces) dir(id int64) string {
	if path, known := p.paths[id]; known {
		return path
	}
	path := mediaRoot
	p.paths[id] = path // ends a circle
	if d, there := p.there[id]; there {
		path = p.dir(d.Parent) + "/" + d.Name
	} else if k, kept := p.gone[id]; kept {
		path = p.dir(k.Dir) + "/" + k.Name
	}
	p.paths[id] = path
	return path
}

// of returns the path of an entry.
func (p *keptPlaces) of(k store.Kept) string { return p.dir(k.Dir) + "/" + k.Name }

// below returns a test of whether a path is at or below the parameter path.
func (c *call) below() func(path string) bool {
	top := strings.TrimRight(rules.Fold(c.param("path")), "/")
	return func(path string) bool {
		rest, is := strings.CutPrefix(rules.Fold(path), top)
		return is && (rest == "" || rest[0] == '/')
	}
}

// errEnough ends a visit early.
var errEnough = errors.New("enough")

// getDeleted lists what changes took away, newest first.
func getDeleted(c *call, x *answer.Writer) error {
	since, err := c.since()
	if err != nil {
		return err
	}
	limit := int64(store.MaxID)
	if c.param("limit") != "" {
		if limit, err = c.integer("limit", 1, store.MaxID); err != nil {
			return err
		}
	}
	below := c.below()
	type placed struct {
		store.Kept
		path string
	}
	var found []placed
	err = c.read(func(tx store.Reader) error {
		places, err := findKeptPlaces(tx, c.tenant.ID)
		if err != nil {
			return err
		}
		return tx.Entries(c.tenant.ID, since, func(k store.Kept) error {
			path := places.of(k)
			if below(path) {
				found = append(found, placed{k, path})
			}
			if int64(len(found)) == limit {
				return errEnough
			}
			return nil
		})
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	x.Open("entries")
	for _, k := range found {
		x.Empty("entry", answer.Int("entryid", k.ID), answer.String("kind", kindWords[k.Kind]), answer.String("name", k.Name), answer.String("path", k.path),
			answer.Int("id", k.File.ID), answer.String("what", whatHappened(k.Kept)), answer.String("time", rules.FormatTime(k.By.At)),
			answer.String("account", k.By.Account), answer.Int("bytes", k.Size))
	}
	x.Close("entries")
	return nil
}

func whatHappened(k store.Kept) string {
	if k.Replaced {
		return "replaced"
	}
	return "deleted"
}

// entry finds an entry that the account may restore or purge: its own or, for an administrator, any.
func (c *call) entry(tx store.Reader, id int64) (store.Kept, error) {
	k, err := tx.Kept(c.tenant.ID, id)
	if store.IsNotFound(err) {
		return k, fault.Invalid("There is no entry %d, or not any more.", id)
	}
	if err == nil && k.By.Account != c.account.Name && c.account.Role < remote.Admin {
		err = fault.Refuse(remote.LoginSecurityViolation, "Another account took this away; an administrator may restore or purge it.")
	}
	return k, err
}

// purge removes an entry for good.
func purge(c *call, _ *answer.Writer) error {
	id, err := c.entryID()
	if err != nil {
		return err
	}
	return c.write(func(tx store.Writer) error {
		k, err := c.entry(tx, id)
		if err != nil {
			return err
		}
		return purgeOne(tx, c.tenant.ID, k)
	})
}

// purgeOne removes an entry for good. A directory that is above something else that is kept stays known
// until that is gone.
func purgeOne(tx store.Writer, tenant int64, k store.Kept) error {
	if k.Kind == store.KeptDir {
		above, err := tx.KeptBelow(tenant, k.File.ID)
		if err != nil || above {
			return errors.Join(err, tx.Empty(k.ID))
		}
	}
	return purgeEntry(tx, k, true)
}
