package control

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"paperfs/fs/errno"
	"paperfs/remote"
)

// Undo is a question to the file undo, as JSON.
type Undo struct {
	Path string `json:"path"`
	// Since is when that began which is undone; the zero time: after the last minute in which this account took
	// nothing away.
	Since time.Time `json:"since,omitzero"`
	List  bool      `json:"list"` // only tell what would come back
}

// Undone is the answer.
type Undone struct {
	Since time.Time `json:"since,omitzero"`
	Back  []Kept    `json:"back"` // parents before what is in them
	Left  []Kept    `json:"left"`
	Kept  int       `json:"kept"` // how many entries deleted/ had from there: with Since, since then
}

// Kept is what the service keeps of something that was deleted or replaced.
type Kept struct {
	Path     string    `json:"path"` // from the mount's root; in papers/ the address
	Name     string    `json:"name"` // on the service
	Kind     string    `json:"kind"`
	ID       int64     `json:"id,omitempty"` // also of what it is now
	Replaced bool      `json:"replaced"`
	At       time.Time `json:"at"`
	Bytes    int64     `json:"bytes"`
	Reason   string    `json:"reason,omitempty"` // why it did not come back
}

// Keeper is the part of the service that keeps what changes take away.
type Keeper interface {
	Account() string // the user's own
	Offers() (o remote.Offers, known bool)
	GetDeleted(ctx context.Context, at remote.Place, since time.Time, limit int) ([]remote.Entry, error)
	GetEntry(ctx context.Context, entry int64, part remote.Part) (*remote.Received, error)
	RestoreAll(ctx context.Context, at remote.Place, since time.Time) (remote.Restored, error)
	Restore(ctx context.Context, entry int64, name string) (remote.Restored, error)
	RestoreTo(ctx context.Context, entry, parent int64, name string) (remote.Restored, error)
	Purge(ctx context.Context, entry int64) error
	Changes() uint64 // how many changes this mount has sent
}

// pauseOfChanges separates what belongs together from what came before.
const pauseOfChanges = time.Minute

// undo brings back what this account took away at or below a path. It costs two requests and one for each tree, with
// List one; one more for a path of papers/ that is not there, two more if nothing was taken away of what is there.
func (o *Options) undo(ctx context.Context, written string) ([]byte, error) {
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
	ctx = remote.Patient(ctx)
	var at remote.Place
	var found []remote.Entry
	kept := 0
	for _, gone := range []bool{false, true} { // what has its name now, and what had it before
		if at, err = o.keptAt(ctx, below, gone); err == nil && at != nowhere {
			found, kept, err = o.takenAway(ctx, at, asked.Since)
		}
		if err != nil {
			return nil, err
		}
		if len(found) > 0 || at.Node == 0 {
			break
		}
	}
	u := Undone{Since: asked.Since, Back: []Kept{}, Left: []Kept{}, Kept: kept}
	if len(found) > 0 {
		u.Since = found[len(found)-1].At
	}
	switch {
	case asked.List:
		u.Back = withPaths(oldest(found), nil)
	case len(found) > 0:
		restored, err := o.Keeper.RestoreAll(ctx, at, u.Since)
		if failed, is := errors.AsType[*remote.Error](err); is && failed.Ambiguous && o.cameBack(ctx, at, u.Since, found) {
			restored.Back, err = oldest(found), nil
		}
		u.Back, u.Left = withPaths(restored.Back, found), withPaths(restored.Left, found)
		if err = errors.Join(err, o.noteRestored(ctx, restored.Back)); err != nil { // of an answer that broke off, too
			return nil, err
		}
		// What failed to be read again shows at the next refresh; what came back is back.
		_ = o.Refresh(ctx, treeOf(restored.Back))
	}
	text, err := json.MarshalIndent(u, "", "  ")
	return append(text, '\n'), err
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

// takenAway returns what this account took away, newest first; without a time, what lies less than a pause
// apart. kept counts all that is kept: undo leaves what it or another account has replaced.
func (o *Options) takenAway(ctx context.Context, at remote.Place, since time.Time) (own []remote.Entry, kept int, err error) {
	all, err := o.Keeper.GetDeleted(ctx, at, since, 0)
	for _, e := range all {
		if e.Account != o.Keeper.Account() || e.Undone {
			continue
		}
		if since.IsZero() && len(own) > 0 && own[len(own)-1].At.Sub(e.At) >= pauseOfChanges {
			break
		}
		own = append(own, e)
	}
	return own, len(all), err
}

// cameBack asks, after an answer that was lost, whether everything that was found has come back: a second undo would go
// further back.
func (o *Options) cameBack(ctx context.Context, at remote.Place, since time.Time, found []remote.Entry) bool {
	still, _, err := o.takenAway(ctx, at, since)
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
		kept = append(kept, Kept{Path: at, Name: e.Name, Kind: e.Kind, ID: e.ID, Replaced: e.Replaced, At: e.At, Bytes: e.Bytes, Reason: why})
	}
	return kept
}
