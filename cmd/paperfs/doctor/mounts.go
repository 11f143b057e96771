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

	"paperfs/cmd/paperfs/exit"
	"paperfs/cmd/paperfs/isolate"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/control"
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

// Place checks whether a directory can be a mount point. Nothing is mounted on it.
func Place(dir string, try func(dir string) error) Check {
	return one("mount point", func() Finding {
		if err := try(dir); err != nil {
			return advised(err)
		}
		return fine("%s can be used", dir)
	})
}

// Status checks what a live mount reports about itself.
func Status(s control.Status) []Check {
	return []Check{one("mount", func() Finding { return health(s) }), one("requests", func() Finding { return used(s.Requests) }), one("uploads", func() Finding { return uploads(s) })}
}

func health(s control.Status) Finding {
	why := "paperfs why " + shellword.Quote(s.Mountpoint)
	switch {
	case s.Service.Refused != "":
		return failure("Check the user name and the password, and what the account may do; then mount again", "the service refuses the account: %s", s.Service.Refused)
	case s.Service.AwaySince != nil:
		return failure("", "the service has been unreachable since %s", s.Service.AwaySince.Local().Format(time.DateTime))
	case s.Service.Trouble != "":
		return warning("", "requests are failing and are sent again: %s", s.Service.Trouble)
	case s.Tree.LastError != "":
		return warning("Run: "+why, "the tree could not be refreshed: %s", s.Tree.LastError)
	}
	return fine("process %d serves %s", s.PID, s.Service.URL)
}

func used(r control.Requests) Finding {
	switch {
	case r.Limit == 0:
		return fine("no limit")
	case r.Limit < r.FullLimit:
		return warning("Mount with a lower --rpm if it happens often", "the service refused some requests (429): %d a minute for a while, instead of %d", r.Limit, r.FullLimit)
	case r.Waiting+r.WaitingBackground > 0:
		return warning("", "%d requests wait for their turn; %d of %d a minute are used", r.Waiting+r.WaitingBackground, r.Used, r.Limit)
	}
	return fine("%d of %d requests a minute are used", r.Used, r.Limit)
}

func uploads(s control.Status) Finding {
	m := s.Media
	dir := shellword.Quote(s.Mountpoint + "/.paperfs/failed")
	switch {
	case m.Failed > 0:
		return failure("Run: ls "+dir+" (then: paperfs retry "+dir+")", "content that could not be published is kept in .paperfs/failed: files: %d", m.Failed)
	case m.Waits != "":
		return warning("", "the whole queue waits: %s", m.Waits)
	case m.Pending > 0:
		return fine("files waiting to be uploaded: %d", m.Pending)
	}
	return fine("all files are on the service")
}

// advised returns a failure for an error whose message ends with what to do.
func advised(err error) Finding {
	says := err.Error()
	for _, begins := range []string{". Run: ", ". Choose "} {
		if i := strings.LastIndex(says, begins); i >= 0 {
			return failure(says[i+len(". "):], "%s", says[:i])
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
	err := isolate.Answers(m)
	if told, ok := errors.AsType[*isolate.ExitError](err); ok && told.Code == exit.Stale {
		return mountpoint.StaleMount(m.Dir)
	}
	if err == nil && m.User != strconv.Itoa(os.Getuid()) {
		return fmt.Errorf("it belongs to user %s, and only that user can find out whether it is served", m.User) // the kernel has answered, not the mount
	}
	return err
}
