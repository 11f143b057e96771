package doctor

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paperfs/cache/media/check"
	"paperfs/cache/state"
	"paperfs/remote/schema"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/shellword"
)

// dataLimit bounds the check of the service's data.
const dataLimit = time.Minute

// ServiceData checks the records and content of the embedded service, as
// `paperfs admin check` does.
func ServiceData(dir string) Check {
	return Check{Name: "service data", Limit: dataLimit + DefaultLimit, Look: func(ctx context.Context) []Finding {
		ctx, cancel := context.WithTimeout(ctx, dataLimit)
		defer cancel()
		return []Finding{serviceData(ctx, dir)}
	}}
}

func serviceData(ctx context.Context, dir string) Finding {
	check := "Run: paperfs admin --data " + shellword.Quote(dir) + " check"
	setUp, err := datadir.Check(ctx, dir)
	if foreign, ok := errors.AsType[*datadir.ForeignDataError](err); ok {
		return failure(foreign.Advice, "%s", foreign.Why)
	}
	if err != nil {
		return failure("", "%s cannot be read: %v", dir, err)
	}
	if !setUp {
		return fine("there is none in %s yet", dir)
	}
	report, err := checkData(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return warning(check, "not finished within %s", dataLimit)
	case err != nil:
		return failure(check, "%s cannot be checked: %v", filepath.Join(dir, datadir.DatabaseFile), err)
	case !report.Sound():
		return failure(check, "faults of records: %d, content missing: %d, content wrong: %d, content without a record: %d",
			len(report.Faults), len(report.Missing), len(report.Wrong), len(report.Orphans))
	}
	return fine("records and content agree; files of content: %d", report.Contents)
}

func checkData(ctx context.Context, dir string) (*admin.CheckReport, error) {
	a, err := admin.Open(dir)
	if err != nil {
		return nil, err
	}
	report, err := a.Check(ctx, admin.CheckOptions{})
	return report, errors.Join(err, a.Close())
}

// MediaStores checks the media stores in dirs, which no mount is using.
func MediaStores(dirs []string) Check {
	return Check{Name: "media store", Limit: dataLimit + DefaultLimit, Look: func(ctx context.Context) (found []Finding) {
		ctx, cancel := context.WithTimeout(ctx, dataLimit)
		defer cancel()
		for _, dir := range dirs {
			found = append(found, mediaStore(ctx, dir))
		}
		return found
	}}
}

func mediaStore(ctx context.Context, dir string) Finding {
	if empty, waiting := state.Emptied(dir); empty {
		if waiting == 0 {
			return fine("%s is empty", dir)
		}
		return warning("Mount again, then run: ls MOUNTPOINT/.paperfs/failed", "%s has lost its database (state.db); the next mount begins a new one, and shows what is in spool/ and failed/ there (files: %d) in .paperfs/failed, partly without names", dir, waiting)
	}
	err := sqlitestore.QueryPassive(ctx, state.Database(dir), func(db *sql.DB) error {
		if current, err := state.CheckSchema(ctx, db, dir); err != nil || !current {
			return err
		}
		return check.Closed(db, dir)
	})
	newer, isNewer := errors.AsType[*schema.NewerError](err)
	switch {
	case err == nil:
		return fine("%s is sound", dir)
	case ctx.Err() != nil:
		return warning("", "%s: not finished within %s", dir, dataLimit)
	case isNewer:
		return failure("Install the newer paperfs", "%v", newer)
	}
	return failure("Run: "+state.SetAside(dir), "%s is inconsistent: %s", dir, oneLine(err.Error()))
}

// MountedStore returns the check of a live mount's store. The mount itself reports its
// inconsistencies.
func MountedStore(dir string, ask func() (string, error)) Check {
	return one("media store", func() Finding {
		switch wrong, err := ask(); {
		case err != nil:
			return warning("", "the store of %s cannot be checked: %v", dir, err)
		case wrong != "":
			return failure("Run: paperfs umount --wait "+shellword.Quote(dir)+", mount again, and run doctor again (and report it: this is a defect of paperfs)",
				"the store of %s is inconsistent: %s", dir, oneLine(wrong))
		}
		return fine("the store of %s is sound", dir)
	})
}

// oneLine joins the lines of a text and shortens it.
func oneLine(text string) string {
	const most = 300
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "; ")
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + " …"
	}
	return text
}

// PasswordFile checks who can read a password.
func PasswordFile(path string, named Named) Check {
	return one("password file", func() Finding {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return failure("Check "+named.of("password_file"), "%v", err)
		case info.Mode().Perm()&0o077 != 0:
			return warning("Run: chmod 600 "+shellword.Quote(path), "%s can be read by other users (mode %04o)", path, info.Mode().Perm())
		}
		return fine("%s, readable only by you", path)
	})
}
