package mount

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/errno"
)

// openAccount opens the account's state, starts the embedded service if the account uses
// it, and checks the credentials by looking up the root. If it fails, it closes what it
// opened.
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
	if err := a.findDirs(); err != nil {
		return nil, err
	}
	st, err := a.openState(ctx)
	if err != nil {
		return nil, a.notKept(err)
	}
	if a.client, err = a.connect(); err != nil {
		return nil, err
	}
	a.closers = append(a.closers, func() error { a.client.Close(); return nil })
	return a, a.notKept(a.openCaches(ctx, st))
}

// notKept adds what to do to a failure to open the account's files, if their disk is full or
// their database is damaged. The embedded service has its own database.
func (a *account) notKept(err error) error {
	return state.Damage(a.dirs.State, withoutRoom(err, a.dirs.State, a.dirs.Cache))
}

// findDirs sets the account's directories. The embedded service's account is identified by its
// data directory and the data in it, and not by its address, whose port may change.
func (a *account) findDirs() error {
	if !a.config.Embedded() {
		a.dirs = state.AccountDirs(xdg.StateHome, xdg.CacheHome, a.config.URL, a.config.Username)
		return nil
	}
	a.dirs = state.AccountDirs(xdg.StateHome, xdg.CacheHome, "embedded:"+a.data, "")
	return a.dataDirs()
}

// openState opens the account's state.
func (a *account) openState(ctx context.Context) (*state.State, error) {
	st, err := serving.TakeState(ctx, a.dirs, a.dir)
	if errors.Is(err, context.Canceled) {
		return nil, errInterrupted
	} else if err != nil {
		return nil, err
	}
	a.state = st
	a.closers = append(a.closers, a.closeState)
	st.Tell(func(err error) { a.teller.Tell("state", ".paperfs", 0, err) })
	a.since, err = firstMount(st, a.began)
	return st, err
}

// firstMount returns when the account was first mounted. Nodes without a counterpart on the
// service show that time, so that it is the same at each mount.
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

// languageOf returns the setting language of a category; a service may have no such setting.
func (a *account) languageOf(ctx context.Context, category int64) string {
	language, _ := a.documents.Setting(ctx, category, "language")
	return language
}

func (a *account) openCaches(ctx context.Context, st *state.State) (err error) {
	c, log := a.config, a.settings.Log
	treeTTL := max(c.TreeTTL, time.Nanosecond) // 0 would mean the default
	a.follower = a.newFollower()
	options := catalogue.Options{
		Service: a.client, RootURL: c.RootURL, RootID: c.RootID, TTL: treeTTL, Lasts: a.follower.lasts,
		Saved: filepath.Join(st.Dir("catalogue"), "tree"), Log: log, State: st,
		Report:   func(err error) { a.teller.Tell("refresh", "papers", 0, err) },
		Language: a.languageOf,
	}
	if a.catalogue, err = catalogue.New(options); err != nil {
		return &cli.UsageError{Err: err}
	}
	a.closers = append(a.closers, func() error { a.catalogue.Close(); return nil })
	said := func() {}
	if !c.Embedded() {
		said = sayWaiting(a.url)
	}
	err = a.catalogue.Connect(ctx)
	said()
	if err != nil {
		return connectError(c, a.url, err)
	}
	if err := a.setReads(ctx, st); err != nil {
		return err
	}
	a.documents, err = document.New(document.Options{
		Service: a.client, State: st, TTL: c.DocumentTTL, PublicURL: c.PublicURL, BaseURL: a.url,
		PDFOptions: c.EffectivePDFOptions(), CheckPDFOptions: c.CheckOptions, Saved: filepath.Join(st.CacheDir("documents"), "saved"), Log: log,
		PinPDFs: func(paper int64, sha256 []string) { a.media.PinPDFs(paper, sha256) }, OwnPDF: a.ownPDF,
	})
	if err != nil {
		return &cli.UsageError{Err: err}
	}
	a.closers = append(a.closers, a.documents.Close)
	kept, err := a.documents.Sources()
	if err != nil {
		return err
	}
	a.media, err = media.Open(media.Options{Service: a.client, State: st, TTL: treeTTL, Lasts: a.follower.lasts, AllowDelete: a.mayDelete(),
		Names: a.settings.Names, ReadOnly: c.ReadOnly, WriteBack: c.WriteBack, CopyBeside: c.Conflicts == "copy", Transfers: c.Transfers, CacheSize: a.settings.Cache, Log: log, Report: a.report, Own: a.own, OwnPDF: a.ownPDF, Kept: a.kept, SentPDF: a.sentPDF, PDFPath: a.pdfPath, PinnedPDFs: kept,
		Mended: func(op, path string) { a.report(op, path, 0, nil) }})
	if err != nil {
		return err
	}
	a.closers = append(a.closers, a.media.Close)
	a.moveUnsent()
	return nil
}
