package operation

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/processing"
	"paperfs/remote/service/store"
)

// mostRestored is how many entries one call restores.
const mostRestored = 100_000

// restoring is a Restore within its change.
type restoring struct {
	*call.Actor
	tx       store.Writer
	places   *keptPlaces
	restored []restored
	left     []left
	done     map[int64]bool // entries that were restored
}

// restored is what came back.
type restored struct {
	store.Kept
	name    string
	version int64
	address string // of a paper or category that has another one
	job     string // that processes a PDF again
}

// left is what could not come back.
type left struct {
	placed
	why *answer.Fault
}

func newRestoring(a *call.Actor, tx store.Writer) (*restoring, error) {
	places, err := newKeptPlaces(a, tx)
	return &restoring{Actor: a, tx: tx, places: places, done: map[int64]bool{}}, err
}

// restore brings back what an entry has, or all that the account took away somewhere since a time.
func restore(c *call.Call, w *answer.Writer) error {
	var begin func(r *restoring) error
	if c.Param("entryID") != "" {
		id, into, err := readEntryAndParent(c)
		if err != nil {
			return err
		}
		begin = func(r *restoring) error { return r.one(id, c.Param("name"), into) }
	} else if c.Param("path")+c.Param("paperID") == "" || c.Param("since") == "" || c.Param("name")+c.Param("parentID") != "" {
		return answer.Invalid("Restore needs an entryID, perhaps with a name and a parentID, or a path or paperID with since.")
	} else {
		since, err := readSince(c)
		if err != nil {
			return err
		}
		at, err := readKeptAt(c)
		if err != nil {
			return err
		}
		begin = func(r *restoring) error { return r.all(at, since) }
	}
	var r *restoring
	err := c.Write(func(tx store.Writer) (err error) {
		if r, err = newRestoring(&c.Actor, tx); err != nil {
			return err
		}
		return begin(r)
	})
	if err != nil {
		return err
	}
	c.Message = "Restored."
	for _, k := range r.restored {
		attrs := []answer.Attr{answer.Int("entryid", k.ID), answer.String("kind", kindWord(k.Kept)), answer.Int("id", k.File.ID), answer.String("name", k.name), answer.Int("version", k.version)}
		if k.address != "" {
			attrs = append(attrs, answer.String("address", k.address))
		}
		if k.job != "" {
			c.Service.Queue.Wake()
			attrs = append(attrs, answer.String("job-guid", k.job))
		}
		w.Empty("restored", attrs...)
	}
	for _, k := range r.left {
		w.Empty("left", answer.Int("entryid", k.ID), answer.String("kind", kindWord(k.Kept)), answer.Int("id", k.File.ID), answer.String("name", k.Name),
			answer.String("path", k.path), answer.String("reason", k.why.Message))
	}
	return nil
}

// readEntryAndParent reads the parameters entryID and parentID; into is nil for none.
func readEntryAndParent(c *call.Call) (id int64, into *int64, err error) {
	if id, err = readEntryID(c); err != nil || c.Param("parentID") == "" {
		return id, nil, err
	}
	parent, err := readMediaParent(c)
	return id, &parent, err
}

// one restores an entry, under its name or another one, where it was or in another directory or category.
func (r *restoring) one(id int64, name string, into *int64) error {
	k, err := findEntry(r.Actor, r.tx, id)
	switch {
	case err != nil:
		return err
	case name == "" && into == nil:
		return r.entryAs(k, k.Name)
	case k.Replaced:
		return answer.Invalid("name and parentID are for what was deleted.")
	case name == "":
		name = k.Name
	case k.Kind == store.KeptNode:
		name, err = displayName("name", name)
	default:
		name, err = mediaName(name)
	}
	if err == nil && into != nil {
		k.Dir = *into
		err = r.mayHold(k)
	}
	if err != nil {
		return err
	}
	return r.entryAs(k, name)
}

// mayHold checks that the directory or category of an entry is there.
func (r *restoring) mayHold(k store.Kept) error {
	if k.Kind != store.KeptNode {
		return checkDir(r.Actor, r.tx, k.Dir)
	}
	_, err := r.Category(r.tx, k.Dir)
	return err
}

// all restores what the account took away, directories first, those that were deleted last before
// those that were in them. Of a file that was taken away several times it restores the oldest: how it
// was before. What another account has replaced, deleted or created since is not replaced.
func (r *restoring) all(at keptAt, since time.Time) error {
	all, err := findEntries(r.Actor, r.tx, r.places, at, since, mostEntries)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(k placed) bool { return k.Undone })
	contents, own := lastChanges{}, 0
	for _, k := range all { // newest first
		isOwn := k.By.Account == r.Account.Name
		if isOwn {
			own++
		}
		switch {
		case own > mostRestored:
			return answer.Invalid("More than %d entries are to be restored at once.", mostRestored)
		case k.Kind == store.KeptFile, k.Kind == store.KeptPDF:
			contents.add(k.Kept, isOwn)
		case isOwn:
			if err := r.tryEntry(k); err != nil {
				return err
			}
		}
	}
	for _, k := range slices.Backward(all) {
		switch c := contents[thingOf(k.Kept)]; {
		case c.oldest != k.ID:
		case c.others:
			r.left = append(r.left, left{k, errOthers})
		default:
			err := r.tryEntry(k)
			if err == nil && r.done[k.ID] {
				err = r.tx.Undone(k.Kind, k.File.ID, k.ID)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// errOthers is why what another account has replaced or deleted since is left. A user who wants it
// nevertheless restores the entry by itself.
var errOthers = answer.Refuse(remote.VersionConflict, "another account has changed it since")

// thing is a file or a paper's PDF, by its id.
type thing struct {
	store.KeptKind
	id int64
}

func thingOf(k store.Kept) thing { return thing{k.Kind, k.File.ID} }

// lastChanges has, of each thing, the changes by an account since the last one by another.
type lastChanges map[thing]lastChange

type lastChange struct {
	oldest int64 // entry of the account's oldest change; 0 for none
	others bool  // none: of its changes before, oldest is the newest
	ended  bool  // what is older was before another account's change
}

// add takes the entries of each thing newest first.
func (l lastChanges) add(k store.Kept, own bool) {
	c := l[thingOf(k)]
	c.ended = c.ended || k.TakenUp || !own
	if own && !c.ended {
		c.oldest = k.ID
	} else if own && c.oldest == 0 {
		c.oldest, c.others = k.ID, true
	}
	l[thingOf(k)] = c
}

// tryEntry restores an entry, or leaves it if the service refuses that.
func (r *restoring) tryEntry(at placed) error {
	if r.done[at.ID] {
		return nil
	}
	k, err := r.tx.Kept(r.Tenant.ID, at.ID)
	if err != nil {
		return err
	}
	err = r.entryAs(k, k.Name)
	if refused, is := errors.AsType[*answer.Fault](err); is {
		r.left = append(r.left, left{at, refused})
		return nil
	}
	return err
}

// entryAs restores an entry under a name.
func (r *restoring) entryAs(k store.Kept, name string) (err error) {
	back := restored{Kept: k, name: name}
	switch k.Kind {
	case store.KeptDir:
		back.version, err = r.dirAs(k, name)
	case store.KeptNode:
		back.version, back.address, err = r.nodeAs(k, name)
	case store.KeptPDF:
		back.version, back.job, err = r.pdf(k)
	default:
		back.version, err = r.fileAs(k, name)
	}
	if err != nil {
		return err
	}
	r.done[k.ID] = true
	if r.restored = append(r.restored, back); k.Kind == store.KeptPDF {
		return nil // its job forgets the entry
	}
	return r.tx.Forget(k.ID)
}

// fileAs restores a file. Where it is there, the content becomes its next version.
func (r *restoring) fileAs(k store.Kept, name string) (version int64, err error) {
	now, err := r.tx.File(r.Tenant.ID, k.File.ID)
	if err == nil {
		if _, err := mediaRoom(r.Actor, r.tx, k.Size, now.Size); err != nil {
			return 0, err
		}
		return setContent(r.Actor, r.tx, now, k.File)
	}
	if !store.IsNotFound(err) {
		return 0, err
	}
	file := k.File
	if file.Dir, err = r.parent(k.Dir); err != nil {
		return 0, err
	}
	if err := r.free(file.Dir, name); err != nil {
		return 0, err
	}
	if _, err := mediaRoom(r.Actor, r.tx, k.Size, 0); err != nil {
		return 0, err
	}
	file.Name, file.Version = name, store.NewVersion()
	_, err = r.tx.AddFile(r.Tenant.ID, file)
	return file.Version, err
}

// dirAs restores a directory, empty.
func (r *restoring) dirAs(k store.Kept, name string) (version int64, err error) {
	if _, there := r.places.there[k.File.ID]; there {
		return 0, answer.Invalid("the directory %s is there already", k.Name)
	}
	dir := store.Dir{ID: k.File.ID, Name: name}
	if dir.Parent, err = r.parent(k.Dir); err != nil {
		return 0, err
	}
	if err := r.free(dir.Parent, name); err != nil {
		return 0, err
	}
	if _, err := r.tx.AddDir(r.Tenant.ID, dir); err != nil {
		return 0, err
	}
	dir, err = r.tx.Dir(r.Tenant.ID, dir.ID)
	r.places.there[dir.ID] = dir
	return dir.Version, err
}

// parent returns the directory for what was in a directory: that one, which comes back if it is kept, or
// else another one of its name.
func (r *restoring) parent(id int64) (int64, error) {
	if _, there := r.places.there[id]; there || id == 0 {
		return id, nil
	}
	k, kept := r.places.gone[store.KeptDir][id]
	if !kept {
		return 0, nil
	}
	above, err := r.parent(k.Dir)
	if err != nil {
		return 0, err
	}
	same, err := r.tx.DirByName(r.Tenant.ID, above, k.Name)
	if err == nil {
		return same.ID, nil
	}
	if !store.IsNotFound(err) {
		return 0, err
	}
	return id, r.entryAs(k, k.Name)
}

// free refuses a name that something in a directory has.
func (r *restoring) free(dir int64, name string) error {
	d, err := r.tx.DirByName(r.Tenant.ID, dir, name)
	if err == nil {
		return taken("directory", name, d.ID, d.Version)
	}
	if !store.IsNotFound(err) {
		return err
	}
	f, err := r.tx.FileByName(r.Tenant.ID, dir, name)
	if err == nil {
		return taken("file", name, f.ID, f.Version)
	}
	return store.IgnoreNotFound(err)
}

// taken refuses a restore because of what is there.
func taken(what, name string, id, version int64) error {
	f := answer.Refuse(remote.VersionConflict, "another %s is called %s now; rename that one, and try again", what, name)
	f.Data = func(w *answer.Writer) { w.Empty("current", answer.Int("id", id), answer.Int("version", version)) }
	return f
}

// nodeAs restores a paper or category. at is its address if that is not the one it had.
func (r *restoring) nodeAs(k store.Kept, name string) (version int64, at string, err error) {
	n := store.Node{ID: k.File.ID, Tenant: r.Tenant.ID, Kind: k.Node, Name: name}
	if n.Parent, err = r.parentNode(k.Dir); err != nil {
		return 0, "", err
	}
	up, err := r.tx.Ancestors(n.Parent)
	if err != nil {
		return 0, "", err
	}
	if n.Kind == remote.PaperNode {
		err = paperRoom(r.Actor, r.tx)
	} else {
		err = shallow(up, 1)
	}
	if err != nil {
		return 0, "", err
	}
	if n.URLName, _, err = freeAddress(r.Actor, r.tx, up, k.URLName, nil); err != nil {
		return 0, "", err
	}
	if n.URLName != k.URLName {
		at = address.Path(r.Tenant, up) + n.URLName + "/"
	}
	version, err = r.tx.ReturnNode(n)
	return version, at, err
}

// parentNode returns the category for what was in a category: that one, which comes back if it is kept,
// or the root.
func (r *restoring) parentNode(id int64) (int64, error) {
	n, err := r.tx.Node(r.Tenant.ID, id)
	if err == nil && n.Kind == remote.CategoryNode {
		return id, nil
	}
	if err := store.IgnoreNotFound(err); err != nil {
		return 0, err
	}
	k, kept := r.places.gone[store.KeptNode][id]
	if !kept {
		return r.Tenant.Root, nil
	}
	return id, r.entryAs(k, k.Name)
}

// pdf processes a replaced PDF again, with the options that are the default and free of the licence. Its
// entry stays until the job ends well; then the PDF that the paper has now is kept.
func (r *restoring) pdf(k store.Kept) (edition int64, job string, err error) {
	paper, err := r.Paper(r.tx, k.File.ID)
	if err != nil {
		return 0, "", err
	}
	if err := mayQueue(r.Actor, r.tx); err != nil {
		return 0, "", err
	}
	if err := processing.MinutesLeft(r.tx, r.Tenant, r.Now()); err != nil {
		return 0, "", err
	}
	options, err := processing.ReadOptions("", r.PDFPages)
	if err != nil {
		return 0, "", err
	}
	text, err := json.Marshal(options)
	if err != nil {
		return 0, "", err
	}
	w := store.Work{Options: string(text), PDF: k.Content, PDFSize: k.Size, Account: r.Account.Name}
	w.GUID, w.Tenant, w.Paper = uuid.NewString(), r.Tenant.ID, paper.ID
	w.Created = r.Now().UTC().Truncate(time.Second)
	edition, err = acceptFree(r.tx, w, store.Accepted{Size: w.PDFSize, Job: w.GUID})
	return edition, w.GUID, err
}
