package mount

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"paperfs/cache/catalogue"
	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/papers/names"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
)

// The embedded service's data has an id, which the state keeps. If the data directory is
// removed, the service starts a new one, whose ids stand for other things. Then the local
// copies of the old data go to failed/, and everything cached by id is dropped.

// dataIDKey is the key of the data's id in the state.
const dataIDKey = "data"

// lostData describes data that no longer exists.
type lostData struct {
	id    string              // of the new data
	saved string              // the file of tree
	tree  *catalogue.Snapshot // as last seen; nil if it was not saved
}

// findLostData compares the id of the data with that of the last mount. It returns nil if
// they are equal, or if there is nothing to compare.
func (a *account) findLostData(st *state.State, o catalogue.Options) (*lostData, error) {
	if !a.config.Embedded() {
		return nil, nil
	}
	id, err := filestore.ID(filepath.Join(a.data, datadir.ContentDir))
	if err != nil || id == "" {
		return nil, err
	}
	known, ok, err := st.Value(dataIDKey)
	if err != nil || known == id {
		return nil, err
	}
	if !ok {
		return nil, st.SetValue(dataIDKey, id)
	}
	saved := o.Saved
	o.Saved += ".lost" // may exist from an interrupted attempt
	if err := os.Rename(saved, o.Saved); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	old, err := catalogue.New(o)
	if err != nil {
		return nil, err
	}
	defer old.Close()
	return &lostData{id, o.Saved, old.Peek()}, nil
}

// place returns where a paper was shown, from the mount's root.
func (l *lostData) place(paper int64) string {
	if l.tree != nil {
		if place := names.Path(l.tree, paper); place != "" {
			return place
		}
	}
	return fmt.Sprintf("papers/paper-%d.paper", paper)
}

// sentPDFs returns the PDFs that were sent to lost data. The last PDF of a paper X becomes
// X.pdf. Earlier ones, of which one may be the last good one, become X (1).pdf and so on.
func (a *account) sentPDFs(lost *lostData) (pdfs []media.CachedPDF, err error) {
	sources, err := a.documents.SourcesOf()
	for paper, sent := range sources {
		name := "/" + strings.TrimSuffix(lost.place(paper), ".paper")
		for i, s := range sent {
			path := name + ".pdf"
			if i > 0 {
				path = fmt.Sprintf("%s (%d).pdf", name, i)
			}
			pdfs = append(pdfs, media.CachedPDF{Path: path, SHA256: s.SHA256, Size: s.Size, ModTime: s.Written})
		}
	}
	return pdfs, err
}

// setAside moves the local copies of lost data to failed/, and reports it.
func (a *account) setAside(ctx context.Context, lost *lostData, st *state.State) error {
	reason := fmt.Sprintf("it was published, but the service's data in %s has been removed or replaced since (by data with the id %s); this is the copy that this machine kept", a.data, lost.id)
	pdfs, err := a.sentPDFs(lost)
	if err != nil {
		return err
	}
	kept, missed, err := a.media.CopyCacheToFailed(reason, pdfs)
	if err != nil {
		return fmt.Errorf("%s has different data than at the last mount, and .paperfs/failed has no room for what this machine kept of the old data: %w. Make room, or restore the old data", a.data, err)
	}
	queued := fmt.Errorf("it was queued, but the service's data in %s was removed or replaced before it was sent: its paper is not in the new data", a.data)
	if err := a.media.ForgetData(queued); err != nil {
		return fmt.Errorf("%s has different data than at the last mount, and what is queued for the old data cannot be taken out of the queue: %w", a.data, err)
	}
	if err := a.documents.ForgetPapers(); err != nil {
		return err
	}
	if err := st.SetValue(dataIDKey, lost.id); err != nil {
		return err
	}
	_ = os.Remove(lost.saved)
	if err := a.media.Refresh(ctx); err != nil {
		a.settings.Log.Warn("media/ shows nothing of the new data, for now", "error", err)
	}
	a.media.Start()
	err = fmt.Errorf("%s has different data than at the last mount: the old data was removed or replaced. What this machine kept of it is in .paperfs/failed (files: %d); not kept: %d. To have all of it, restore a backup of the old data", a.data, kept, missed)
	fmt.Fprintln(os.Stderr, "paperfs:", cli.PrintableLines(err.Error()))
	a.teller.Tell("mount", ".paperfs/failed", 0, err)
	return nil
}
