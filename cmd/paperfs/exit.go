package main

import (
	"errors"

	"paperfs/cache/catalogue"
	"paperfs/cache/state"
	"paperfs/cmd/paperfs/administer"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/cmd/paperfs/exit"
	"paperfs/cmd/paperfs/inspect"
	"paperfs/cmd/paperfs/isolate"
	"paperfs/cmd/paperfs/mount"
	"paperfs/cmd/paperfs/usage"
	"paperfs/fs/mountpoint"
	"paperfs/remote"
	"paperfs/remote/durable"
	"paperfs/remote/service/datadir"
)

func exitCode(err error) int {
	if told, ok := errors.AsType[*isolate.ExitError](err); ok {
		return told.Code
	}
	for _, row := range []struct {
		err  error
		code int
	}{
		{mountpoint.ErrUnusable, exit.Mountpoint},
		{mountpoint.ErrStale, exit.Stale},
		{mountpoint.ErrNoFUSE, exit.NoFUSE},
		{mountpoint.ErrNone, exit.NotMounted},
		{mountpoint.ErrBusy, exit.Busy},
		{mount.ErrDetached, exit.Detached},
		{inspect.ErrJobFailed, exit.JobFailed},
		{inspect.ErrEnrichmentFailed, exit.Enrichment},
		{inspect.ErrUnpublished, exit.Unpublished},
		{administer.ErrUnsound, exit.Unsound},
		{doctor.ErrUnwell, exit.Unwell},
	} {
		if errors.Is(err, row.err) {
			return row.code
		}
	}
	if _, ok := errors.AsType[*usage.Error](err); ok {
		return exit.Usage
	}
	if _, ok := errors.AsType[*state.HeldError](err); ok {
		return exit.Held
	}
	if _, ok := errors.AsType[*durable.NewerError](err); ok {
		return exit.Newer
	}
	if _, ok := errors.AsType[*datadir.HeldError](err); ok {
		return exit.DataHeld
	}
	if _, ok := errors.AsType[*datadir.ForeignDataError](err); ok {
		return exit.ForeignData
	}
	if e, ok := errors.AsType[*remote.Error](err); ok {
		return remoteExitCode(e)
	}
	if e, ok := errors.AsType[*catalogue.RootError](err); ok && e.Err == nil {
		return exit.NoRoot
	}
	return exit.Failure
}

// remoteExitCode returns the exit code for a failed lookup of the root, the only request
// whose failure ends a command. Some services answer it with ERROR if the credentials are
// wrong.
func remoteExitCode(e *remote.Error) int {
	switch {
	case e.Kind == remote.Refused && e.Code == remote.PaperDoesNotExist:
		return exit.NoRoot
	case e.Kind == remote.Refused:
		return exit.Refused
	case e.Kind == remote.Unreachable, e.Kind == remote.Stalled:
		return exit.Unreachable
	}
	return exit.Failure
}
