package control

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"paperfs/fs/errno"
	"paperfs/remote"
)

// Undo is a question to the file undo, as JSON. Of List, Entries and Content one is given, or none: then what this
// account took away there comes back.
type Undo struct {
	Path string `json:"path"`
	// Since is when that began which is undone or listed; the zero time: after the last minute in which this account
	// took nothing away or, of a list, ever.
	Since   time.Time `json:"since,omitzero"`
	List    bool      `json:"list,omitempty"`    // tell what is kept from there
	Entries []int64   `json:"entries,omitempty"` // only these come back; they are of what is kept from there
	Purge   bool      `json:"purge,omitempty"`   // Entries are removed for good
	Content int64     `json:"content,omitempty"` // the answer is the content of this entry
}

// Undone is the answer.
type Undone struct {
	Since   time.Time `json:"since,omitzero"`
	Entries []Kept    `json:"entries"` // of List: what is kept, newest first
	Back    []Kept    `json:"back"`    // parents before what is in them
	Left    []Kept    `json:"left"`    // what did not come back, or was not removed
	Purged  []Kept    `json:"purged"`  // what was removed for good
	Kept    int       `json:"kept"`    // how many entries there were: with Since, since then
}

// Kept is what the service keeps of something that was deleted or replaced.
type Kept struct {
	Entry    int64     `json:"entry"`
	Path     string    `json:"path"` // from the mount's root; in papers/ the address
	Name     string    `json:"name"` // on the service
	Kind     string    `json:"kind"`
	ID       int64     `json:"id,omitempty"` // also of what it is now
	Replaced bool      `json:"replaced"`
	At       time.Time `json:"at"`
	Account  string    `json:"account"`
	Bytes    int64     `json:"bytes"`
	Next     bool      `json:"next,omitempty"`   // of List: it comes back without Entries
	Reason   string    `json:"reason,omitempty"` // why it did not come back, or was not removed
}

// Keeper is the part of the service that keeps what changes take away.
type Keeper interface {
	Account() string // the user's own
	Offers() (o remote.Offers, known bool)
	GetDeleted(ctx context.Context, at remote.Place, since time.Time, limit int) ([]remote.Entry, error)
	GetEntry(ctx context.Context, entry int64, part remote.Part) (*remote.Received, error)
	RestoreAll(ctx context.Context, at remote.Place, since time.Time) (remote.Restored, error)
	Restore(ctx context.Context, entry int64, name string) (remote.Restored, error)
	Purge(ctx context.Context, entry int64) error
}

// pauseOfChanges separates what belongs together from what came before.
const pauseOfChanges = time.Minute

// pathOf returns the path that a question is about.
func pathOf(question string) string {
	var asked Undo
	_ = json.Unmarshal([]byte(question), &asked) // undo refuses the rest
	return strings.Trim(asked.Path, "/")
}

// undo answers a question. To list costs one request; one more for a path of papers/ that is not there, two more if
// nothing was taken away of what is there. What comes back, or is removed, costs that, one more, or one for each of
// Entries, and one for each tree.
func (o *Options) undo(ctx context.Context, written string) (io.Reader, error) {
	var asked Undo
	if err := json.Unmarshal([]byte(written), &asked); err != nil {
		return nil, errno.Refuse(syscall.EINVAL, `write one line of JSON, as {"path": "media/logos", "list": true}`)
	}
	below, err := o.path(asked.Path)
	if err != nil {
		return nil, err
	}
	if offers, known := o.Keeper.Offers(); known && offers.Deleted == 0 {
		return nil, errno.Refuse(syscall.EOPNOTSUPP, "this service keeps nothing of what is deleted or replaced")
	}
	if o.ReadOnly && !asked.List && asked.Content == 0 {
		return nil, errno.Refuse(syscall.EROFS, "this mount is for reading: it brings nothing back, and removes nothing")
	}
	if asked.Content != 0 {
		return o.Keeper.GetEntry(remote.Patient(ctx), asked.Content, remote.Part{})
	}
	ctx = remote.Patient(ctx)
	f, err := o.find(ctx, below, asked.Since)
	if err != nil {
		return nil, err
	}
	u := Undone{Since: asked.Since, Entries: []Kept{}, Back: []Kept{}, Left: []Kept{}, Purged: []Kept{}, Kept: len(f.all)}
	switch {
	case len(asked.Entries) > 0:
		o.chosen(ctx, f, asked, &u)
	case asked.List:
		f.list(&u)
	case len(f.own) > 0:
		err = o.undoAll(ctx, f, &u)
	}
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(u, "", "  ")
	return bytes.NewReader(append(text, '\n')), err
}

// found is what is kept of a place, newest first.
type found struct {
	at  remote.Place
	all []remote.Entry
	own []remote.Entry // what this account took away, and undo brings back
}

// find looks at what has a path now and, if this account took nothing of that away, at what had it before.
func (o *Options) find(ctx context.Context, below string, since time.Time) (f found, err error) {
	for _, gone := range []bool{false, true} {
		var kept []remote.Entry
		if f.at, err = o.keptAt(ctx, below, gone); err == nil && f.at != nowhere {
			kept, err = o.Keeper.GetDeleted(ctx, f.at, since, 0)
		}
		f.all, f.own = append(f.all, kept...), o.takenAway(kept, since)
		if err != nil || len(f.own) > 0 || f.at.Node == 0 {
			break
		}
	}
	slices.SortStableFunc(f.all, func(a, b remote.Entry) int { return b.At.Compare(a.At) })
	return f, err
}

// list tells what is kept, and what of that undo brings back.
func (f found) list(u *Undone) {
	u.Entries = withPaths(f.all, nil)
	next := oldest(f.own)
	for i, e := range f.all {
		u.Entries[i].Next = slices.ContainsFunc(next, func(n remote.Entry) bool { return n.Entry == e.Entry })
	}
	if len(f.own) > 0 {
		u.Since = f.own[len(f.own)-1].At
	}
}

// undoAll brings back what this account took away.
func (o *Options) undoAll(ctx context.Context, f found, u *Undone) error {
	u.Since = f.own[len(f.own)-1].At
	restored, err := o.Keeper.RestoreAll(ctx, f.at, u.Since)
	if isAmbiguous(err) && o.cameBack(ctx, f.at, u.Since, f.own) {
		restored.Back, err = oldest(f.own), nil
	}
	u.Back, u.Left = withPaths(restored.Back, f.own), withPaths(restored.Left, f.own)
	if err = errors.Join(err, o.noteRestored(ctx, restored.Back)); err != nil { // of an answer that broke off, too
		return err
	}
	// What failed to be read again shows at the next refresh; what came back is back.
	_ = o.Refresh(ctx, treeOf(restored.Back))
	return nil
}

// isAmbiguous reports whether the outcome of a change is unknown.
func isAmbiguous(err error) bool {
	failed, is := errors.AsType[*remote.Error](err)
	return is && failed.Ambiguous
}

// noteRestored notes of papers and PDFs that came back that what was sent from here is not the paper's PDF any more.
func (o *Options) noteRestored(ctx context.Context, back []remote.Entry) (failed error) {
	for _, e := range back {
		if e.Kind == "pdf" || e.Kind == "paper" {
			failed = errors.Join(failed, o.Restored(ctx, e.ID, e.Job))
		}
	}
	return failed
}

// nowhere is a place where nothing was taken away.
var nowhere = remote.Place{Path: "/nowhere"}

// keptAt returns the service's place for a path of the mount, also of what is not there any more. Papers and
// categories are known by their ids: others may have their names and addresses now. With gone, it is that of the last
// one that had its name and was deleted.
func (o *Options) keptAt(ctx context.Context, below string, gone bool) (remote.Place, error) {
	inside, is := strings.CutPrefix(below+"/", "papers/")
	if !is {
		return remote.Place{Path: "/" + below}, nil
	}
	at, rest, err := o.NodeAt(ctx, inside, gone)
	if err != nil || len(rest) == 0 {
		return remote.Place{Node: at}, err
	}
	all, err := o.Keeper.GetDeleted(ctx, remote.Place{Node: at}, time.Time{}, 0)
	for _, name := range rest {
		i := slices.IndexFunc(all, func(e remote.Entry) bool { // newest first
			named := e.Name == name || e.Name+"~"+strconv.FormatInt(e.ID, 10) == name
			return named && e.Parent == at && (e.Kind == "paper" || e.Kind == "category")
		})
		if i < 0 {
			return nowhere, err
		}
		at = all[i].ID
	}
	return remote.Place{Node: at}, err
}

// treeOf returns the path whose refresh shows what came back.
func treeOf(back []remote.Entry) string {
	for _, e := range back {
		if e.Kind != "file" && e.Kind != "directory" {
			return ""
		}
	}
	return "media"
}

// takenAway returns what this account took away of what is kept, newest first; without a time, what lies less than a
// pause apart. Undo leaves what it or another account has replaced.
func (o *Options) takenAway(kept []remote.Entry, since time.Time) (own []remote.Entry) {
	for _, e := range kept {
		if e.Account != o.Keeper.Account() || e.Undone {
			continue
		}
		if since.IsZero() && len(own) > 0 && own[len(own)-1].At.Sub(e.At) >= pauseOfChanges {
			break
		}
		own = append(own, e)
	}
	return own
}

// cameBack asks, after an answer that was lost, whether everything that was found has come back: a second undo would go
// further back.
func (o *Options) cameBack(ctx context.Context, at remote.Place, since time.Time, found []remote.Entry) bool {
	kept, err := o.Keeper.GetDeleted(ctx, at, since, 0)
	still := o.takenAway(kept, since)
	return err == nil && !slices.ContainsFunc(found, func(e remote.Entry) bool {
		return slices.ContainsFunc(still, func(s remote.Entry) bool { return s.Entry == e.Entry })
	})
}

// oldest returns what comes back of entries, newest first: of each thing, how it was before all of them.
func oldest(found []remote.Entry) []remote.Entry {
	type thing struct {
		kind string
		id   int64
	}
	last := map[thing]int{}
	for i, e := range found {
		last[thing{e.Kind, e.ID}] = i
	}
	var back []remote.Entry
	for i, e := range found {
		if last[thing{e.Kind, e.ID}] == i {
			back = append(back, e)
		}
	}
	return back
}

// withPaths describes entries of an answer. known has the ones that were listed before: not every answer tells all.
func withPaths(entries, known []remote.Entry) []Kept {
	listed := map[int64]remote.Entry{}
	for _, e := range known {
		listed[e.Entry] = e
	}
	kept := []Kept{}
	for _, e := range entries {
		why := e.Reason
		if l, ok := listed[e.Entry]; ok {
			e = l
		}
		at := strings.TrimPrefix(cmp.Or(e.Path, e.Name), "/")
		kept = append(kept, Kept{Entry: e.Entry, Path: at, Name: e.Name, Kind: e.Kind, ID: e.ID, Replaced: e.Replaced, At: e.At, Account: e.Account, Bytes: e.Bytes, Reason: why})
	}
	return kept
}
