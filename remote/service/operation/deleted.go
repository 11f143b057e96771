package operation

import (
	"errors"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

// mediaRoot is the path of the media library in paths of entries.
const mediaRoot = "/media"

// paperRoot is that of papers and categories, before their addresses.
const paperRoot = "/papers"

// kindWord returns the kind of an entry in answers.
func kindWord(k store.Kept) string {
	switch {
	case k.Kind == store.KeptFile:
		return "file"
	case k.Kind == store.KeptDir:
		return "directory"
	case k.Kind == store.KeptPDF:
		return "pdf"
	case k.Node == remote.CategoryNode:
		return "category"
	}
	return "paper"
}

// readEntryID reads the number of an entry. The numbers are no ids of the contract, and not bounded.
func readEntryID(c *call.Call) (int64, error) { return c.Integer("entryID", 1, 1<<62) }

// readSince reads a time; none means the beginning.
func readSince(c *call.Call) (time.Time, error) {
	text := strings.TrimSpace(c.Param("since"))
	if text == "" {
		return time.Unix(0, 0), nil
	}
	at, ok := rules.Time(text)
	if !ok {
		return at, answer.Invalid("since has to be a time in UTC, as 2031-03-01 06:00:00.")
	}
	return at, nil
}

// keptPlaces knows the directories that are there, and what was deleted, by id. Where a directory or
// category is not known any more, what was in it counts as having been at the top.
type keptPlaces struct {
	*call.Actor
	tx    store.Reader
	there map[int64]store.Dir
	gone  map[store.KeptKind]map[int64]store.Kept
	paths map[store.KeptKind]map[int64]string
}

func newKeptPlaces(a *call.Actor, tx store.Reader) (*keptPlaces, error) {
	p := &keptPlaces{a, tx, map[int64]store.Dir{}, map[store.KeptKind]map[int64]store.Kept{store.KeptDir: {}, store.KeptNode: {}},
		map[store.KeptKind]map[int64]string{store.KeptDir: {0: mediaRoot}, store.KeptNode: {}}}
	dirs, err := tx.Dirs(a.Tenant.ID)
	if err != nil {
		return nil, err
	}
	for _, d := range dirs {
		p.there[d.ID] = d
	}
	gone, err := tx.KeptParents(a.Tenant.ID)
	for _, k := range gone {
		p.gone[k.Kind][k.File.ID] = k // the newest entry
	}
	return p, err
}

// of returns the path of an entry.
func (p *keptPlaces) of(k store.Kept) (string, error) {
	kind, name := store.KeptDir, k.Name
	switch k.Kind {
	case store.KeptPDF:
		return p.path(store.KeptNode, k.File.ID)
	case store.KeptNode:
		kind, name = store.KeptNode, k.URLName
	}
	above, err := p.path(kind, k.Dir)
	return above + "/" + name, err
}

// path returns the path of a directory or category.
func (p *keptPlaces) path(kind store.KeptKind, id int64) (path string, err error) {
	if path, known := p.paths[kind][id]; known {
		return path, nil
	}
	if d, there := p.there[id]; there && kind == store.KeptDir {
		path, err = p.of(store.Kept{Kind: kind, File: store.File{Dir: d.Parent, Name: d.Name}})
	} else if k, kept := p.gone[kind][id]; kept {
		path, err = p.of(k)
	} else {
		path, err = p.top(kind, id)
	}
	p.paths[kind][id] = path
	return path, err
}

// top returns the path of a category that is there, or of what is at the top.
func (p *keptPlaces) top(kind store.KeptKind, id int64) (string, error) {
	if kind == store.KeptDir {
		return mediaRoot, nil
	}
	if _, err := p.tx.Node(p.Tenant.ID, id); err != nil {
		return paperRoot, store.IgnoreNotFound(err)
	}
	at, err := p.Address(p.tx, id)
	return paperRoot + strings.TrimSuffix(at, "/"), err
}

// keptAt is a place that a call names: a path or, unless it is 0, a paper or category.
type keptAt struct {
	path string
	node int64
}

// readKeptAt reads the parameters path and paperID.
func readKeptAt(c *call.Call) (at keptAt, err error) {
	if at.path = c.Param("path"); c.Param("paperID") != "" {
		at.node, err = c.ID("paperID")
	}
	return at, err
}

// within returns a test of whether an entry is of a place. What is below a paper or category by its ids is, whatever
// names and addresses have changed.
func (p *keptPlaces) within(at keptAt) (func(placed) (bool, error), error) {
	if at.node == 0 {
		top := strings.TrimRight(rules.Fold(at.path), "/")
		return func(k placed) (bool, error) {
			rest, is := strings.CutPrefix(rules.Fold(k.path), top)
			return is && (rest == "" || rest[0] == '/'), nil
		}, nil
	}
	if _, kept := p.gone[store.KeptNode][at.node]; !kept {
		if _, err := p.Node(p.tx, at.node); err != nil {
			return nil, err
		}
	}
	below := map[int64]bool{at.node: true}
	return func(k placed) (bool, error) {
		if k.Kind != store.KeptNode && k.Kind != store.KeptPDF {
			return false, nil
		}
		return p.nodeBelow(k.File.ID, below)
	}, nil
}

// nodeBelow reports whether a paper or category is, or was when it was deleted, below one that is known to be.
func (p *keptPlaces) nodeBelow(id int64, known map[int64]bool) (is bool, err error) {
	if is, met := known[id]; met {
		return is, nil
	}
	above := p.Tenant.Root
	if k, kept := p.gone[store.KeptNode][id]; kept {
		above = k.Dir
	} else if n, err := p.tx.Node(p.Tenant.ID, id); err == nil {
		above = n.Parent
	} else if !store.IsNotFound(err) {
		return false, err
	}
	if id != p.Tenant.Root {
		is, err = p.nodeBelow(above, known)
	}
	known[id] = is
	return is, err
}

// mostEntries is how many entries a call looks at.
const mostEntries = 1_000_000

// placed is an entry with its path.
type placed struct {
	store.Kept
	path string
}

// findEntries finds the entries of a place, newest first.
func findEntries(a *call.Actor, tx store.Reader, places *keptPlaces, at keptAt, since time.Time, limit int64) (found []placed, err error) {
	within, err := places.within(at)
	if err != nil {
		return nil, err
	}
	all, err := tx.Entries(a.Tenant.ID, since, mostEntries)
	for _, k := range all {
		path, err := places.of(k)
		if err != nil {
			return nil, err
		}
		is, err := within(placed{k, path})
		if err != nil {
			return nil, err
		}
		if is {
			found = append(found, placed{k, path})
		}
		if int64(len(found)) == limit {
			break
		}
	}
	return found, err
}

// getDeleted lists what changes took away, newest first.
func getDeleted(c *call.Call, w *answer.Writer) error {
	since, err := readSince(c)
	if err != nil {
		return err
	}
	limit := int64(mostEntries)
	if c.Param("limit") != "" {
		if limit, err = c.Integer("limit", 1, store.MaxID); err != nil {
			return err
		}
	}
	at, err := readKeptAt(c)
	if err != nil {
		return err
	}
	var found []placed
	err = c.Read(func(tx store.Reader) error {
		places, err := newKeptPlaces(&c.Actor, tx)
		if err == nil {
			found, err = findEntries(&c.Actor, tx, places, at, since, limit)
		}
		return err
	})
	if err != nil {
		return err
	}
	w.Open("entries")
	for _, k := range found {
		w.Empty("entry", answer.Int("entryid", k.ID), answer.String("kind", kindWord(k.Kept)), answer.String("name", k.Name), answer.String("path", k.path),
			answer.Int("id", k.File.ID), answer.Int("parentid", k.Dir), answer.String("what", whatHappened(k.Kept)), answer.String("time", rules.FormatTime(k.By.At)),
			answer.String("account", k.By.Account), answer.Int("bytes", k.Size), answer.TrueFalse("undone", k.Undone))
	}
	w.Close("entries")
	return nil
}

func whatHappened(k store.Kept) string {
	if k.Replaced {
		return "replaced"
	}
	return "deleted"
}

// findEntry finds an entry that the account may restore or purge: its own or, for an administrator, any.
func findEntry(a *call.Actor, tx store.Reader, id int64) (store.Kept, error) {
	k, err := tx.Kept(a.Tenant.ID, id)
	if store.IsNotFound(err) {
		return k, answer.Invalid("There is no entry %d, or not any more.", id)
	}
	if err == nil && k.By.Account != a.Account.Name && a.Account.Role < remote.Admin {
		err = answer.Refuse(remote.LoginSecurityViolation, "Another account took this away; an administrator may restore or purge it.")
	}
	return k, err
}

// purge removes an entry for good.
func purge(c *call.Call, _ *answer.Writer) error {
	id, err := readEntryID(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx store.Writer) error {
		k, err := findEntry(&c.Actor, tx, id)
		if err != nil {
			return err
		}
		return purgeOne(tx, c.Tenant.ID, k)
	})
}

// purgeOne removes an entry for good. A directory or category that is above something else that is kept stays known
// until that is gone.
func purgeOne(tx store.Writer, tenant int64, k store.Kept) error {
	if k.Kind == store.KeptDir || k.Kind == store.KeptNode {
		above, err := tx.KeptBelow(tenant, k.Kind, k.File.ID)
		if err != nil || above {
			return errors.Join(err, tx.Empty(k.ID))
		}
	}
	return PurgeEntry(tx, k, true)
}

// PurgeEntry removes what is kept, and unless entirely leaves that a file ended: an upload of its name
// takes up its id.
func PurgeEntry(tx store.Writer, k store.Kept, entirely bool) error {
	if k.Kind == store.KeptPDF {
		_, inWork, err := tx.KeptPDF(k.Content)
		if err != nil || inWork { // its job ends with it
			return errors.Join(err, tx.Forget(k.ID))
		}
	}
	if err := tx.DropContent(k.Content); err != nil {
		return err
	}
	switch {
	case k.Kind == store.KeptFile && !k.Replaced && !entirely:
		return tx.Empty(k.ID)
	case k.Kind == store.KeptNode:
		if err := endNode(tx, k.File.ID, tx.PurgeNode); err != nil {
			return err
		}
	}
	return tx.Forget(k.ID)
}

// endNode deletes a node and its contents.
func endNode(tx store.Writer, id int64, end func(int64) error) error {
	r, err := tx.Rendition(id)
	if err := store.IgnoreNotFound(err); err != nil {
		return err
	}
	if err := end(id); err != nil {
		return err
	}
	return errors.Join(tx.DropContent(r.PDF), tx.DropContent(r.Images))
}
