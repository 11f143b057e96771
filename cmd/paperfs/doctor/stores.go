package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
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
		return fine("%s has none yet", dir)
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
	return fine("records and content agree: %d", report.Contents)
}

func checkData(ctx context.Context, dir string) (*admin.CheckReport, error) {
	a, err := admin.Open(dir)
	if err != nil {
		return nil, err
	}
	report, err := a.Check(ctx, admin.CheckOptions{})
	return report, errors.Join(err, a.Close())
}

// PasswordFile judges who can read a password.
func PasswordFile(path string) Check {
	return one("password file", func() Finding {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return failure("Check PAPERFS_PASSWORD_FILE", "%v", err)
		case info.Mode().Perm()&0o077 != 0:
			return warning("Run: chmod 600 "+shellword.Quote(path), "%s can be read by other users (mode %04o)", path, info.Mode().Perm())
		}
		return fine("%s, for you alone", path)
	})
}
