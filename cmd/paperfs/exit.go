package main

import (
	"errors"

	"paperfs/cache/catalogue"
	"paperfs/cache/state"
	"paperfs/cmd/paperfs/administer"
	"paperfs/cmd/paperfs/aside"
	"paperfs/cmd/paperfs/usage"
	"paperfs/fs/mountpoint"
	"paperfs/remote"
	"paperfs/remote/schema"
	"paperfs/remote/service/datadir"
)

func exitCode(err error) int {
	if told, ok := errors.AsType[*aside.ExitError](err); ok {
		return told.Code
	}
	for _, row := range []struct {
		err  error
		code int
	}{
		{mountpoint.ErrUnusable, exitMountpoint},
		{mountpoint.ErrStale, exitStale},
		{mountpoint.ErrNoFUSE, exitNoFUSE},
		{mountpoint.ErrNone, exitNotMounted},
		{mountpoint.ErrBusy, exitBusy},
		{errDetached, exitDetached},
		{errJobFailed, exitJobFailed},
		{errEnrichmentFailed, exitEnrichment},
		{errUnpublished, exitUnpublished},
		{administer.ErrUnsound, exitUnsound},
		{errUnwell, exitUnwell},
	} {
		if errors.Is(err, row.err) {
			return row.code
		}
	}
	if _, ok := errors.AsType[*usage.Error](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*state.HeldError](err); ok {
		return exitHeld
	}
	if _, ok := errors.AsType[*schema.NewerError](err); ok {
		return exitNewer
	}
	if _, ok := errors.AsType[*datadir.HeldError](err); ok {
		return exitDataHeld
	}
	if _, ok := errors.AsType[*datadir.ForeignDataError](err); ok {
		return exitForeignData
	}
	if e, ok := errors.AsType[*remote.Error](err); ok {
		return remoteExitCode(e)
	}
	if e, ok := errors.AsType[*catalogue.RootError](err); ok && e.Err == nil {
		return exitNoRoot
	}
	return exitFailure
}

// remoteExitCode is for the only call whose failure ends a command: the
// look-up of the root, which some services answer with ERROR when the
// credentials are wrong.
func remoteExitCode(e *remote.Error) int {
	switch {
	case e.Kind == remote.Refused && e.Code == remote.PaperDoesNotExist:
		return exitNoRoot
	case e.Kind == remote.Refused:
		return exitRefused
	case e.Kind == remote.Unreachable, e.Kind == remote.Stalled:
		return exitUnreachable
	}
	return exitFailure
}
