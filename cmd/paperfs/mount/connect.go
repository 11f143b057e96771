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

	"paperfs/cache/catalogue"
	"paperfs/cache/content/disk"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/remote"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/host"
	"paperfs/remote/shellword"
)

// errInterrupted means that a signal came before the mount existed.
var errInterrupted = errors.New("interrupted before anything was mounted")

// startService starts the embedded service, unless it is started.
func (a *account) startService() (err error) {
	if a.embedded != nil {
		return nil
	}
	a.embedded, err = host.StartEmbedded(a.data, embeddedLog(a.settings.Log), a.embeddedUsers())
	if _, held := errors.AsType[*datadir.HeldError](err); held {
		return fmt.Errorf("%w. To mount what it serves, run: set -a; . %s; set +a", err, shellword.Quote(filepath.Join(a.data, "client.env")))
	} else if err != nil {
		return withoutRoom(err, a.data)
	}
	a.closers = append(a.closers, a.embedded.Close)
	return nil
}

// connect starts the embedded service, if it is used, and returns the client.
func (a *account) connect() (*remote.Client, error) {
	c := a.config
	o := c.ClientOptions(a.settings)
	o.Requests = filepath.Join(a.dirs.State, "requests")
	a.service = c.URL
	o.MayChange = a.state.Whole
	o.Unjudged = func(err error) { a.teller.Tell("refresh", "", 0, err) }
	if c.Embedded() {
		if err := a.startService(); err != nil {
			return nil, err
		}
		e := a.embedded
		o.BaseURL, o.Username, o.Password, o.Transport = e.URL, e.Username, e.Password, e.Transport()
		a.own, a.ownPDF = e.MediaFile, e.PDFFile
		if disk.Same(a.data, a.dirs.State) {
			a.kept = []disk.Cache{e.Kept()}
		}
		days, err := e.KeepsDeleted()
		if err != nil {
			return nil, err
		}
		a.keepsDeleted = days > 0
		a.service = fmt.Sprintf("%s (embedded service, data in %s)", e.URL, a.data)
	}
	a.url = o.BaseURL
	return config.NewClient(o)
}

// embeddedUsers returns the local users who may connect to the embedded service: those who
// may use the mount. nil means everybody.
func (a *account) embeddedUsers() []uint32 {
	if a.config.AllowOther {
		return nil
	}
	return []uint32{0, uint32(os.Getuid()), a.settings.Owner.UID}
}

// embeddedLog drops the embedded service's line for each request, unless the level is
// debug.
func embeddedLog(log *slog.Logger) *slog.Logger {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return log
	}
	return slog.New(warnings{log.Handler()})
}

// warnings passes only warnings and errors on.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// quietly is how long a mount waits for the service before it prints so.
const quietly = 2 * time.Second

// sayWaiting prints what the mount waits for, unless said is called within
// quietly.
func sayWaiting(url string) (said func()) {
	late := time.AfterFunc(quietly, func() {
		text := fmt.Sprintf("waiting for %s to answer, for at most %s; ^C ends it", cli.Printable(url), catalogue.DefaultRootLimit)
		fmt.Fprintf(os.Stderr, "paperfs: %s\n", text)
		cli.NotifyManager(cli.ManagerStatus(text))
	})
	return func() { late.Stop() }
}

// connectError adds to the catalogue's error what the user can do.
func connectError(c *config.Config, url string, err error) error {
	e, ok := errors.AsType[*remote.Error](err)
	switch {
	case ok && e.Kind == remote.Refused && e.Code == remote.LoginSecurityViolation:
		return fmt.Errorf("%w\nCheck %s and the password for %s", err, c.NameOf("username"), url)
	case ok && (e.Kind == remote.Unreachable || e.Kind == remote.Stalled):
		return fmt.Errorf("%w\nCheck %s (%s) and the network%s", err, c.NameOf("url"), url, explained(url, err))
	case ok && e.Kind == remote.Cancelled, errors.Is(err, context.Canceled):
		return errInterrupted
	}
	return err
}

// explained returns why there is no connection, if more is known than the error says.
func explained(address string, err error) string {
	if base, failed := url.Parse(address); failed == nil {
		if why := doctor.Explain(base, err); why != "" {
			return ": " + why
		}
	}
	return ""
}
