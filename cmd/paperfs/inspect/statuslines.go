package inspect

import (
	"fmt"
	"io"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"
	"paperfs/remote"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// mostOfAKind is how many calls, uploads, downloads, failed files and local names the status lists of
// each kind, so that it fits on one screen.
const mostOfAKind = 3

// printStatus writes the status of a mount for people, with one or a few lines for each
// topic.
func printStatus(out io.Writer, s control.Status, local []control.Local, now time.Time) error {
	return cli.WriteTable(out, func(write func(...any)) {
		line := func(head string, text any) {
			if text != "" {
				write(head, text)
			}
		}
		line("mounted:", fmt.Sprintf("%s since %s (process %d)", s.Mountpoint, s.Since.Local().Format(time.DateTime), s.PID))
		line("lost:", s.Lost)
		line("service:", serviceLine(s.Service))
		line("zone:", s.Timezone)
		line("trouble:", troubleLine(s))
		line("refused:", s.Service.Refused)
		if s.Service.Forms {
			line("content:", "goes as base64, a third longer: an older node of the service, or a proxy, refused it raw; the next mount tries again")
		}
		line("tree:", treeLine(s.Tree))
		line("changes:", changesLine(s.Service))
		line("last refresh:", s.Tree.LastError)
		line("requests:", requestsLine(s.Requests))
		atMost(write, "under way:", s.Requests.UnderWay, func(c control.Call) string { return underWayLine(c, now) })
		atMost(write, "job:", s.Jobs, func(j control.Job) string { return jobLine(j, now) })
		atMost(write, "failed job:", s.FailedJobs, func(j control.FailedJob) string { // the service could not process it as a whole
			_, outcome := jobOutcome(remote.JobStatus(j.Status), j.Reason)
			return fmt.Sprintf("%s: its PDF was sent %s ago; %s", j.Place, age(now.Sub(j.Since)), outcome)
		})
		line("media:", fmt.Sprintf("%d published, %d local, %d being written, %d pending, %d failed",
			s.Media.Published, s.Media.Local, s.Media.Writing, s.Media.Pending, s.Media.Failed))
		atMost(write, "writing:", s.Media.WritingPDFs, cli.Printable)
		if s.Media.Waits != "" {
			line("queue:", "all of it waits: "+s.Media.Waits)
		}
		atMost(write, "upload:", s.Media.Uploads, uploadLine)
		atMost(write, "download:", s.Media.Downloads, downloadLine)
		line("media tree:", s.Media.LastError)
		atMost(write, "failed:", s.Media.FailedFiles, func(f control.Failed) string { return f.Place + ", now .paperfs/failed/" + f.Name + ": " + f.Reason })
		atMost(write, "local:", local, func(n control.Local) string { return n.Place + ", since " + n.Since.Local().Format(time.DateTime) })
		line("failures:", s.Failures)
	})
}

// atMost writes a line for each of the first items, then how many more there are and which command lists them.
func atMost[T any](line func(...any), head string, items []T, words func(T) string) {
	all := "paperfs status --json"
	if head == "local:" {
		all = "paperfs status --local"
	}
	for i, item := range items {
		if i == mostOfAKind {
			line(head, fmt.Sprintf("and %d more, in %s", len(items)-i, all))
			return
		}
		line(head, words(item))
	}
}

// uploadLine says how much of an upload is sent, or why it waits.
func uploadLine(u control.Upload) string {
	text := u.Place + ": "
	if u.LastError != "" {
		return text + "waits: " + u.LastError
	}
	return text + fmt.Sprintf("%s of %s sent", humanize.IBytes(uint64(u.Sent)), humanize.IBytes(uint64(u.Size)))
}

// downloadLine says how much of a file is on this machine.
func downloadLine(d control.Download) string {
	text := d.Place + ": " + humanize.IBytes(uint64(d.Here))
	if d.Size >= 0 {
		text += " of " + humanize.IBytes(uint64(d.Size))
	}
	return text + " here"
}

func serviceLine(s control.Service) string {
	text := s.URL
	if s.Data != "" {
		text += " (embedded, data in " + s.Data + ")"
	}
	if s.Reads {
		text += ", for reading: the account may only read"
	}
	if s.AwaySince != nil {
		text += ", unreachable since " + s.AwaySince.Local().Format(time.DateTime)
		if s.AskedAgain != nil {
			text += fmt.Sprintf(", tried again with the first call after %.1f s", max(0, time.Until(*s.AskedAgain).Seconds()))
		}
	}
	return text
}

// troubleLine says why requests are failing. It is empty if they are not.
func troubleLine(s control.Status) string {
	if s.Service.TroubleSince == nil {
		return ""
	}
	again := "the next call tries again"
	if s.Requests.Repeating > 0 {
		again = fmt.Sprintf("the next attempt is in %.1f s", s.Requests.NextIn)
	}
	return fmt.Sprintf("%s, since %s; %s", s.Service.Trouble, s.Service.TroubleSince.Local().Format(time.DateTime), again)
}

// changesLine says how the mount learns what others change.
func changesLine(s control.Service) string {
	if s.Told {
		return "the service tells of them as they are made"
	}
	return "the mount asks for them now and then (--tree-ttl)"
}

func treeLine(t control.Tree) string {
	if t.Fetched == nil {
		return "not read yet"
	}
	text := fmt.Sprintf("%d categories and papers below %s, read %s", t.Nodes, t.RootURL, t.Fetched.Local().Format(time.DateTime))
	if t.Refreshing {
		text += ", being read again"
	}
	return text
}

func requestsLine(r control.Requests) string {
	var total uint64
	for _, n := range r.ByOperation {
		total += n
	}
	text := fmt.Sprintf("%d, %d failed", total, r.Failed)
	if r.HeldBack > 0 {
		text += fmt.Sprintf("; %s failed without a request", english.Plural(int(r.HeldBack), "more call", ""))
	}
	if r.Limit > 0 {
		text += fmt.Sprintf("; %d of %d allowed in the last minute", r.Used, r.Limit)
	}
	if r.Limit < r.FullLimit {
		text += fmt.Sprintf(" (%d before the service refused that many)", r.FullLimit)
	}
	if n := r.Waiting + r.WaitingBackground + r.Repeating; n > 0 {
		text += fmt.Sprintf(", %d waiting", n)
	}
	if r.NextIn > 0 {
		text += fmt.Sprintf(", next request in %.1f s", r.NextIn)
	}
	return text
}
