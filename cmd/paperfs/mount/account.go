package mount

import (
	"context"
	"errors"
	"os"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/content/disk"
	"paperfs/cache/content/tree"
	"paperfs/cache/document"
	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/cmd/paperfs/config"
	"paperfs/fs"
	"paperfs/fs/errno"
	"paperfs/remote"
	"paperfs/remote/service/host"
)

// account is one account with all layers between it and the mount.
type account struct {
	config       *config.Config
	settings     config.Settings
	dir          string // the mount point
	version      string // of this program
	dirs         state.Dirs
	data         string                                            // absolute directory of the embedded service
	embedded     *host.Embedded                                    // nil until it is started, or for another service
	otherData    []state.Dirs                                      // of the account, for other data in that directory
	newData      bool                                              // no mount had this data before
	url, service string                                            // service is for messages
	own          func(id int64, sha256 [32]byte) (*os.File, error) // see media.Options; nil for another service
	ownPDF       func(paper int64) (f *os.File, sha256 string, err error)
	kept         []disk.Cache // the same
	keepsDeleted bool         // the embedded service keeps what is deleted
	reads        bool         // the account may only read
	since, began time.Time
	failures     *failure.Log
	teller       *errno.Teller // for failures outside of a call
	client       *remote.Client
	catalogue    *catalogue.Catalogue
	documents    *document.Cache
	media        *media.Store
	state        *state.State
	hooks        fs.Hooks // set while mounting
	follower     *follower
	changes      changes
	closers      []func() error
}

// sentPDF returns what the document cache knows of the last PDF sent for a paper.
func (a *account) sentPDF(paper int64) (sha256 string, size int64, written time.Time, err error) {
	sent, _, err := a.documents.Source(paper)
	return sent.SHA256, sent.Size, sent.Written, err
}

// report records a failure outside of a call.
func (a *account) report(op, path string, id int64, err error) {
	a.teller.Tell(op, tree.MountPath(path), id, err)
}

// refresh fetches the tree again and drops everything that is cached, in the background,
// for SIGUSR1.
func (a *account) refresh() {
	go func() {
		if err := a.hooks.Refresh(context.Background(), ""); err != nil {
			a.settings.Log.Warn("refresh", "error", err)
		}
	}()
}

// Close closes what was opened, in reverse order.
func (a *account) Close() (err error) {
	for i := len(a.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, a.closers[i]())
	}
	a.closers = nil
	return err
}
