package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"
)

// staleLimit is longer than a command waits for the answer of a mount.
const staleLimit = 30 * time.Second

// Stale checks paperfs mounts in parallel. serves returns nil if the mount has a process that
// answers.
func Stale(mounts []mountpoint.Mount, serves func(mountpoint.Mount) error) Check {
	return Check{Name: "mounts", Limit: staleLimit, Look: func(context.Context) []Finding {
		if len(mounts) == 0 {
			return []Finding{fine("no paperfs is mounted")}
		}
		found := make([]Finding, len(mounts))
		var all sync.WaitGroup
		for i, m := range mounts {
			all.Go(func() { found[i] = stale(m.Dir, serves(m)) })
		}
		all.Wait()
		return found
	}}
}

func stale(dir string, err error) Finding {
	switch {
	case err == nil:
		return fine("%s answers", dir)
	case errors.Is(err, mountpoint.ErrStopped):
		return advised(err)
	case errors.Is(err, mountpoint.ErrSilent):
		return failure("If its process was killed, run: paperfs umount --force "+shellword.Quote(dir), "%s does not answer", dir)
	case errors.Is(err, mountpoint.ErrStale):
		return failure("Run: paperfs umount "+shellword.Quote(dir), "%s is stale: the process that served it has ended", dir)
	}
	return warning("", "%s cannot be examined: %v", dir, err)
}

// advised returns a failure for an error whose message ends with what to do.
func advised(err error) Finding {
	says := err.Error()
	for _, begins := range []string{". Run: ", ". Run as root: ", ". Choose ", ". Nothing was changed. "} {
		if i := strings.LastIndex(says, begins); i >= 0 {
			return failure(strings.TrimPrefix(says[i+len(". "):], "Nothing was changed. "), "%s", says[:i])
		}
	}
	return failure("", "%s", says)
}

// serves returns nil if a mount has a process that answers.
func serves(m mountpoint.Mount) error {
	s, pid := serving.Of(m)
	switch {
	case s == serving.Living && guard.Stopped(pid):
		return mountpoint.Stopped(m.Dir, pid)
	case s == serving.Living:
		return nil
	case s == serving.Killed:
		return mountpoint.Killed(m.Dir, pid)
	}
	err := serving.Answers(m)
	if told, ok := errors.AsType[*serving.ExitError](err); ok && told.Code == cli.ExitStale {
		return mountpoint.StaleMount(m.Dir)
	}
	if err == nil && m.User != strconv.Itoa(os.Getuid()) {
		return fmt.Errorf("it belongs to user %s, and only that user can find out whether it is served", m.User) // the kernel has answered, not the mount
	}
	return err
}
