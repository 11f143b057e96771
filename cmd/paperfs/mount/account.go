package mount

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/cmd/paperfs/serving"
	"paperfs/cmd/paperfs/systemd"
	"paperfs/cmd/paperfs/terminal"
	"paperfs/cmd/paperfs/usage"
	"paperfs/fs"
	"paperfs/fs/control"
	"paperfs/fs/errno"
	"paperfs/remote"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/host"
	"paperfs/remote/shellword"
)

// account is one account with all that stands between it and the mount.
type account struct {
	config    *config.Config
	settings  config.Settings
	dir       string // the mount point
	version   string // of this program
	dirs      state.Dirs
	data      string // absolute directory of the embedded service
	service   string // in words
	url       string
	since     time.Time
	began     time.Time
	failures  *failure.Log
	teller    *errno.Teller // of what no caller waits for
	client    *remote.Client
	catalogue *catalogue.Catalogue
	documents *document.Cache
	media     *media.Store
	state     *state.State
	hooks     fs.Hooks // set while mounting
	closers   []func() error
}

// openAccount takes the account's state, starts the embedded service where it
// is that one's, and checks the credentials by looking up the root. What it
// opened is closed again where it fails.
func openAccount(ctx context.Context, c *config.Config, s config.Settings, dir, version string) (_ *account, err error) {
	a := &account{config: c, settings: s, dir: dir, version: version, began: time.Now(), failures: failure.New(s.Log, nil)}
	a.teller = &errno.Teller{Log: a.failures}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if a.data, err = filepath.Abs(c.Data); err != nil {
		return nil, err
	}
	st, err := a.openState()
	if err != nil {
		return nil, a.notKept(err)
	}
	if a.client, err = a.connect(); err != nil {
		return nil, err
	}
	a.closers = append(a.closers, func() error { a.client.Close(); return nil })
	return a, a.notKept(a.openCaches(ctx, st))
}

// notKept adds to a failure to open what the account keeps what to do where its disk is full or its
// database is damaged. The embedded service's database is another.
func (a *account) notKept(err error) error { return state.Damage(a.dirs.State, a.withoutRoom(err)) }

// openState takes the account's state. The embedded service's is known by its
// data and not by its address, whose port may change.
func (a *account) openState() (*state.State, error) {
	base, username := a.config.URL, a.config.Username
	if a.config.Embedded() {
		base, username = "embedded:"+a.data, ""
	}
	a.dirs = state.AccountDirs(xdg.StateHome, xdg.CacheHome, base, username)
	st, err := serving.TakeState(a.dirs, a.dir)
	if err != nil {
		return nil, err
	}
	a.state = st
	a.closers = append(a.closers, st.Close)
	st.Watch(func(err error) { a.teller.Tell("state", ".paperfs", 0, err) })
	a.since, err = firstMount(st, a.began)
	return st, err
}

// firstMount is when the account was first mounted: the time of what stands
// for nothing of the service, the same at each mount.
func firstMount(st *state.State, now time.Time) (time.Time, error) {
	const key = "since"
	value, ok, err := st.Value(key)
	if err != nil {
		return now, err
	}
	if since, err := time.Parse(time.RFC3339Nano, value); ok && err == nil {
		return since, nil
	}
	return now, st.SetValue(key, now.UTC().Format(time.RFC3339Nano))
}

// connect makes the client, and before it the embedded service.
func (a *account) connect() (*remote.Client, error) {
	c := a.config
	o := c.ClientOptions(a.settings)
	o.Requests = filepath.Join(a.dirs.State, "requests")
	a.service = c.URL
	if c.Embedded() {
		e, err := host.StartEmbedded(a.data, embeddedLog(a.settings.Log), a.embeddedUsers())
		if err != nil {
			if _, ok := errors.AsType[*datadir.HeldError](err); ok {
				return nil, fmt.Errorf("%w. To mount what it serves, run: set -a; . %s; set +a", err, shellword.Quote(filepath.Join(a.data, "client.env")))
			}
			return nil, err
		}
		a.closers = append(a.closers, e.Close)
		o.BaseURL, o.Username, o.Password = e.URL, e.Username, e.Password
		a.service = fmt.Sprintf("%s (embedded service, data in %s)", e.URL, a.data)
	}
	a.url = o.BaseURL
	return config.NewClient(o)
}

// embeddedUsers are the users of this machine who may speak to the embedded
// service: those who may use the mount. nil stands for everybody.
func (a *account) embeddedUsers() []uint32 {
	if a.config.AllowOther {
		return nil
	}
	return []uint32{0, uint32(os.Getuid()), a.settings.Owner.UID}
}

// embeddedLog leaves out the embedded service's line for every request, unless
// everything is wanted.
func embeddedLog(log *slog.Logger) *slog.Logger {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return log
	}
	return slog.New(warnings{log.Handler()})
}

// warnings lets only warnings and errors through.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

func (a *account) openCaches(ctx context.Context, st *state.State) (err error) {
	c, log := a.config, a.settings.Log
	treeTTL := max(c.TreeTTL, time.Nanosecond) // 0 stands for a default there
	options := catalogue.Options{
		Service: a.client, RootURL: c.RootURL, RootID: c.RootID, TTL: treeTTL,
		Saved: filepath.Join(st.Dir("catalogue"), "tree"), Log: log, State: st,
		Report: func(err error) { a.teller.Tell("refresh", "papers", 0, err) },
	}
	documents := filepath.Join(st.CacheDir("documents"), "saved")
	lost, err := a.findLostData(st, options)
	if err != nil {
		return err
	}
	if lost != nil {
		_ = os.Remove(documents) // of papers whose ids are those of others now
	}
	if a.catalogue, err = catalogue.New(options); err != nil {
		return &usage.Error{Err: err}
	}
	a.closers = append(a.closers, func() error { a.catalogue.Close(); return nil })
	said := func() {}
	if !c.Embedded() {
		said = sayWaiting(a.url)
	}
	err = a.catalogue.Connect(ctx)
	said()
	if err != nil {
		return ConnectError(c, a.url, err)
	}
	a.documents, err = document.New(document.Options{
		Service: a.client, State: st, TTL: c.DocumentTTL, PublicURL: c.PublicURL, BaseURL: a.url,
		PDFOptions: c.EffectivePDFOptions(), Saved: documents, Log: log,
		SentPDF: func(paper int64, sha256 []string) { a.media.PinPDFs(paper, sha256) },
	})
	if err != nil {
		return &usage.Error{Err: err}
	}
	a.closers = append(a.closers, a.documents.Close)
	kept, err := a.documents.Sources()
	if err != nil {
		return err
	}
	a.media, err = media.Open(media.Options{Service: a.client, State: st, TTL: treeTTL, AllowDelete: c.AllowDelete,
		Names: a.settings.Names, ReadOnly: c.ReadOnly, WriteBack: c.WriteBack, Transfers: c.Transfers, Paused: lost != nil, CacheSize: a.settings.Cache, Log: log, Report: a.report, SentPDF: a.sentPDF, PinnedPDFs: kept,
		Mended: func(op, path string) { a.report(op, path, 0, nil) }})
	if err != nil {
		return err
	}
	a.closers = append(a.closers, a.media.Close)
	if lost != nil {
		return a.setAside(ctx, lost, st)
	}
	return nil
}

// quietly is how long a mount waits for the service before it says so.
const quietly = 2 * time.Second

// sayWaiting says what a mount waits for, if it is not told soon that it does not any
// more.
func sayWaiting(url string) (said func()) {
	late := time.AfterFunc(quietly, func() {
		text := fmt.Sprintf("waiting for %s to answer, for at most %s; ^C ends it", terminal.Printable(url), catalogue.DefaultRootLimit)
		fmt.Fprintf(os.Stderr, "paperfs: %s\n", text)
		systemd.Notify(systemd.Status(text))
	})
	return func() { late.Stop() }
}

// sentPDF is what the document cache knows of the last PDF that was sent for a paper.
func (a *account) sentPDF(paper int64) (sha256 string, size int64, err error) {
	sent, _, err := a.documents.Source(paper)
	return sent.SHA256, sent.Size, err
}

// report records a failure that no caller waited for.
func (a *account) report(op, path string, id int64, err error) {
	a.teller.Tell(op, filepath.Join("media", path), id, err)
}

// ConnectError adds to the catalogue's sentence what to do here.
func ConnectError(c *config.Config, url string, err error) error {
	e, ok := errors.AsType[*remote.Error](err)
	switch {
	case ok && e.Kind == remote.Refused && e.Code == remote.LoginSecurityViolation:
		return fmt.Errorf("%w\nCheck %s and the password for %s", err, c.NameOf("username"), url)
	case ok && (e.Kind == remote.Unreachable || e.Kind == remote.Stalled):
		return fmt.Errorf("%w\nCheck %s (%s) and the network%s", err, c.NameOf("url"), url, explained(c, url, err))
	case ok && e.Kind == remote.Cancelled, errors.Is(err, context.Canceled):
		return errInterrupted
	}
	return err
}

// explained says why there is no connection, where more can be said than the error does.
func explained(c *config.Config, address string, err error) string {
	base, failed := url.Parse(address)
	if failed != nil {
		return ""
	}
	if why := doctor.Explain(base, c.NameOf("url"), err); why != "" {
		return ": " + why
	}
	return ""
}

func (a *account) mountOptions(direct bool) fs.Options {
	c := a.config
	return fs.Options{
		Mountpoint: a.dir, Source: a.url, Catalogue: a.catalogue, Documents: a.documents, Media: a.media,
		Failures: a.failures, Since: a.since, Owner: a.settings.Owner,
		AllowDelete: c.AllowDelete, ReadOnly: c.ReadOnly, AllowOther: c.AllowOther, Xattrs: c.XAttrs, Direct: direct, Kernel: c.KernelOptions,
		Log: a.settings.Log, Mounted: a.guardConnection,
		Control: func(h fs.Hooks) gofs.InodeEmbedder {
			a.hooks = h
			return control.NewRoot(control.Options{
				Env: h.Env, Since: h.Since, Mountpoint: a.dir, Status: a.status, Failures: a.failures, Media: a.media,
				Stat:    func(_ context.Context, path string) (any, error) { return h.Stat(path) },
				Refresh: h.Refresh, LocalPapers: h.LocalPapers,
			})
		},
	}
}

// refresh reads the tree again and forgets everything that is cached, at a
// signal, which does not wait for it.
func (a *account) refresh() {
	go func() {
		if err := a.hooks.Refresh(context.Background(), ""); err != nil {
			a.settings.Log.Warn("refresh", "error", err)
		}
	}()
}

// Close closes what was opened, the last first.
func (a *account) Close() error {
	var err error
	for i := len(a.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, a.closers[i]())
	}
	a.closers = nil
	return err
}
