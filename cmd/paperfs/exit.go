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

// The exit codes are an interface: scripts and service managers rely on them.
// A code never changes its meaning.
const (
	exitOK          = 0
	exitFailure     = 1  // a failure without a code of its own
	exitUsage       = 2  // wrong arguments, flags or environment
	exitMountpoint  = 3  // MOUNTPOINT cannot be used: no directory, not empty, its parent missing
	exitStale       = 4  // MOUNTPOINT is a mount whose server is gone
	exitHeld        = 5  // the account is mounted already
	exitNoFUSE      = 6  // /dev/fuse or fusermount3 is missing
	exitRefused     = 7  // the service refuses the credentials
	exitUnreachable = 8  // the service cannot be reached
	exitNoRoot      = 9  // the service has no root at the address or id asked for
	exitDataHeld    = 10 // another process serves the data directory
	exitNewer       = 11 // the state was written by a newer paperfs
	exitDetached    = 12 // the mount was detached while something held it
	exitNotMounted  = 13 // no paperfs is mounted there
	exitBusy        = 14 // something holds the mount, so it was not unmounted
	exitJobFailed   = 15 // the processing job that was waited for failed
	exitEnrichment  = 16 // its pages are there, but links or enrichment failed
	exitUnpublished = 19 // nothing is on its way any more, but not all files got to the service
	exitForeignData = 20 // database and content of the data directory do not belong together, or one is missing
	exitUnsound     = 21 // a check of the data found something wrong
	exitUnwell      = 22 // doctor found something that does not work
)

// errDetached: the mount was taken out of the tree while something held it.
var errDetached = errors.New("detached while the mount was in use: files that were open there are cut off")

// errInterrupted: a signal came while the mount was being made.
var errInterrupted = errors.New("interrupted before anything was mounted")

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
