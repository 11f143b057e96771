package main

import (
	"errors"

	"paperfs/cache/catalogue"
	"paperfs/cache/state"
	"paperfs/cmd/paperfs/administer"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/cmd/paperfs/inspect"
	"paperfs/cmd/paperfs/mount"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"
	"paperfs/remote"
	"paperfs/remote/durable"
	"paperfs/remote/service/datadir"
)

func exitCode(err error) int {
	if told, ok := errors.AsType[*serving.ExitError](err); ok {
		return told.Code
	}
	for _, row := range []struct {
		err  error
		code int
	}{
		{mountpoint.ErrUnusable, cli.ExitMountpoint},
		{mountpoint.ErrStale, cli.ExitStale},
		{mountpoint.ErrNoFUSE, cli.ExitNoFUSE},
		{mountpoint.ErrNone, cli.ExitNotMounted},
		{mountpoint.ErrBusy, cli.ExitBusy},
		{mount.ErrDetached, cli.ExitDetached},
		{inspect.ErrJobFailed, cli.ExitJobFailed},
		{inspect.ErrEnrichmentFailed, cli.ExitEnrichment},
		{inspect.ErrUnpublished, cli.ExitUnpublished},
		{administer.ErrUnsound, cli.ExitUnsound},
		{doctor.ErrUnwell, cli.ExitUnwell},
	} {
		if errors.Is(err, row.err) {
			return row.code
		}
	}
	if _, ok := errors.AsType[*cli.UsageError](err); ok {
		return cli.ExitUsage
	}
	if _, ok := errors.AsType[*state.HeldError](err); ok {
		return cli.ExitHeld
	}
	if _, ok := errors.AsType[*durable.NewerError](err); ok {
		return cli.ExitNewer
	}
	if _, ok := errors.AsType[*datadir.HeldError](err); ok {
		return cli.ExitDataHeld
	}
	if _, ok := errors.AsType[*datadir.ForeignDataError](err); ok {
		return cli.ExitForeignData
	}
	if e, ok := errors.AsType[*remote.Error](err); ok {
		return remoteExitCode(e)
	}
	if e, ok := errors.AsType[*catalogue.RootError](err); ok && e.Err == nil {
		return cli.ExitNoRoot
	}
	return cli.ExitFailure
}

// remoteExitCode returns the exit code for a failed lookup of the root, the only request
// whose failure ends a command. Some services answer it with ERROR if the credentials are
// wrong.
func remoteExitCode(e *remote.Error) int {
	switch {
	case e.Kind == remote.Refused && e.Code == remote.PaperDoesNotExist:
		return cli.ExitNoRoot
	case e.Kind == remote.Refused:
		return cli.ExitRefused
	case e.Kind == remote.Unreachable, e.Kind == remote.Stalled:
		return cli.ExitUnreachable
	}
	return cli.ExitFailure
}
