package service

import (
	"errors"
	"fmt"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// Keeping is how the operator lists, restores and purges what the changes of all accounts took away from a tenant.
type Keeping struct{ actor }

// KeptEntry describes an entry, also as JSON.
type KeptEntry struct {
	Tenant   string    `json:"tenant"`
	Entry    int64     `json:"entry"`
	Kind     string    `json:"kind"` // file, directory, paper, category, pdf
	ID       int64     `json:"id"`   // of what it was
	Name     string    `json:"name"`
	Path     string    `json:"path,omitempty"` // where it was, in papers/ by addresses; of List
	Replaced bool      `json:"replaced"`       // another version came in its place
	At       time.Time `json:"at"`
	Account  string    `json:"account"`
	Bytes    int64     `json:"bytes"`
	Address  string    `json:"address,omitempty"` // of a paper or category that came back with another one
	Job      string    `json:"job,omitempty"`     // that processes a PDF again
}

// operatorName is by whom something is replaced in a restore. No account has it: their names have no blanks.
const operatorName = "paperfs admin"

// NewKeeping is for a tenant as it was read in the same change, or in the same read.
func NewKeeping(t store.Tenant) *Keeping {
	operator := store.Account{Name: operatorName, Role: remote.Admin}
	return &Keeping{actor{tenant: t, account: operator, now: time.Now, pdfPages: pdf.Limits{}.WithDefaults().Pages}}
}

func (k *Keeping) describe(e store.Kept, path string) KeptEntry {
	return KeptEntry{Tenant: k.tenant.Name, Entry: e.ID, Kind: kindWord(e), ID: e.File.ID, Name: e.Name, Path: path, Replaced: e.Replaced, At: e.By.At.UTC(), Account: e.By.Account, Bytes: e.Size}
}

// List returns the entries at or below a path since a time, newest first; the zero values mean no limit.
func (k *Keeping) List(tx store.Reader, path string, since time.Time) ([]KeptEntry, error) {
	if since.IsZero() {
		since = time.Unix(0, 0)
	}
	places, err := k.keptPlaces(tx)
	if err != nil {
		return nil, err
	}
	found, err := k.entries(tx, places, keptAt{path: path}, since, mostEntries)
	all := make([]KeptEntry, len(found))
	for i, e := range found {
		all[i] = k.describe(e.Kept, e.path)
	}
	return all, err
}

// Restore brings entries back, and what was above them; name is another name for a single one, or "".
func (k *Keeping) Restore(tx store.Writer, entries []int64, name string) ([]KeptEntry, error) {
	r, err := k.restoring(tx)
	for i := 0; i < len(entries) && err == nil; i++ {
		if r.done[entries[i]] {
			continue // it was above another one
		}
		err = inWords(entries[i], r.one(entries[i], name, nil))
	}
	if err != nil {
		return nil, err
	}
	all := make([]KeptEntry, len(r.restored))
	for i, back := range r.restored {
		all[i] = k.describe(back.Kept, "")
		all[i].Name, all[i].Address, all[i].Job = back.name, back.address, back.job
	}
	return all, nil
}

// Purge removes entries for good.
func (k *Keeping) Purge(tx store.Writer, entries []int64) ([]KeptEntry, error) {
	all := make([]KeptEntry, 0, len(entries))
	for _, id := range entries {
		e, err := k.entry(tx, id)
		if err == nil {
			err = purgeOne(tx, k.tenant.ID, e)
		}
		if err != nil {
			return nil, inWords(id, err)
		}
		all = append(all, k.describe(e, ""))
	}
	return all, nil
}

// inWords returns a refusal as the operator reads it.
func inWords(entry int64, err error) error {
	if refused, is := errors.AsType[*fault.Fault](err); is {
		return fmt.Errorf("entry %d: %s", entry, refused.Message)
	}
	return err
}
