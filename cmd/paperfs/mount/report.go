package mount

import (
	"cmp"
	"errors"
	"os"
	"strings"
	"time"

	"paperfs/fs/control"
	"paperfs/fs/papers/names"
	"paperfs/remote"
	"paperfs/remote/ratelimit"
)

// status returns the content of .paperfs/status.
func (a *account) status() control.Status {
	s := control.Status{
		Version: a.version, PID: os.Getpid(), Mountpoint: a.dir, Since: a.began, Timezone: zoneName(a.settings.Zone),
		Service:  control.Service{URL: a.url, Told: a.follower.isTold(), Reads: a.reads},
		Failures: a.failures.Count(),
	}
	if a.config.Embedded() {
		s.Service.Data = a.data
	}
	a.addRequests(&s)
	a.addTree(&s)
	a.addMedia(&s)
	a.addJobs(&s)
	if err := a.state.Writable(); err != nil {
		s.Lost = err.Error()
	}
	s.Service.Refused = cmp.Or(s.Service.Refused, a.client.Stats().Refused)
	return s
}

// zoneName names a zone; of this machine's, Go knows only what its clocks show now.
func zoneName(zone *time.Location) string {
	if zone == time.Local {
		return time.Now().Format("MST (UTC-07:00)")
	}
	return zone.String()
}

func (a *account) addRequests(s *control.Status) {
	stats := a.client.Stats()
	s.Service.AwaySince, s.Service.AskedAgain = timeOrNil(stats.AwaySince), timeOrNil(stats.AskedAgain)
	s.Service.Trouble, s.Service.TroubleSince = stats.Trouble.Reason, timeOrNil(stats.Trouble.Since)
	s.Service.Forms = stats.Forms
	s.Requests = control.Requests{
		ByOperation: map[string]uint64{}, Sent: uint64(stats.BytesSent), Received: uint64(stats.BytesReceived),
		Used: stats.Budget.Used, Limit: stats.Budget.Limit, FullLimit: stats.Budget.Full,
		Waiting: stats.Budget.Waiting, WaitingBackground: stats.Budget.WaitingBackground, Repeating: stats.Repeating,
	}
	s.Requests.NextIn = max(0, time.Until(nextRequest(stats.Budget, stats.NextRepeat)).Seconds())
	for _, c := range stats.UnderWay {
		s.Requests.UnderWay = append(s.Requests.UnderWay, control.Call{Operation: c.Operation, Since: c.Since, Waits: string(c.Stage), Sent: c.Sent})
	}
	for name, operation := range stats.Operations {
		s.Requests.ByOperation[name] = operation.Requests
		s.Requests.Failed += operation.Failures
		s.Requests.HeldBack += operation.HeldBack
	}
}

// nextRequest returns when the first waiting call begins or is repeated, or else when a call
// made now would begin.
func nextRequest(b ratelimit.Budget, repeat time.Time) time.Time {
	switch {
	case repeat.IsZero() && b.NextStart.IsZero():
		return b.NextFree
	case b.NextStart.IsZero() || !repeat.IsZero() && repeat.Before(b.NextStart):
		return repeat
	}
	return b.NextStart
}

func (a *account) addTree(s *control.Status) {
	tree := a.catalogue.Status()
	s.Tree = control.Tree{
		RootID: tree.Root.ID, RootURL: tree.Root.URL, Nodes: max(0, tree.Nodes-1), // the root is papers/ itself
		Fetched: timeOrNil(tree.Fetched), Refreshing: tree.Refreshing,
	}
	if tree.LastError == nil || a.overcome(tree.LastError) {
		return
	}
	s.Tree.LastError = tree.LastError.Error()
	if e, ok := errors.AsType[*remote.Error](tree.LastError); ok && e.Kind == remote.Refused && e.Code == remote.LoginSecurityViolation {
		s.Service.Refused = e.Reason()
	}
}

// overcome reports whether an error says that the service cannot be reached although it has
// answered since.
func (a *account) overcome(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Unreachable && a.client.Stats().AwaySince.IsZero()
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// pdfPath returns where a PDF is meant for now, see media.Options.
func (a *account) pdfPath(paper, dir int64, path string) (now string, gone, taken bool) {
	if s := a.catalogue.Peek(); s != nil {
		return names.PDFPath(s, paper, dir, path)
	}
	return path, false, false
}

func (a *account) addMedia(s *control.Status) {
	m := a.media.Status()
	s.Media = control.MediaInfo{
		Published: m.Files, Local: m.Local, Writing: m.Writing, Pending: m.Waiting, Failed: m.Failed, Unpublished: m.SpoolBytes,
	}
	s.Media.Idle = a.media.Idle()
	s.Media.WritingPDFs = a.media.WritingPDFs()
	s.Media.Uploads = a.uploads()
	for _, d := range a.media.Downloads() {
		s.Media.Downloads = append(s.Media.Downloads, control.Download{Place: d.Place, Size: d.Size, Here: d.Here})
	}
	for _, f := range a.media.Failed() {
		s.Media.FailedFiles = append(s.Media.FailedFiles, control.Failed{
			Name: f.Name, Path: strings.TrimPrefix(f.Path, "/"), Place: f.Place(), Suffix: f.Suffix, Reason: f.Reason, Size: f.Size, Since: f.Since,
			Paper: f.Paper, Gone: f.Gone, Replaced: f.Replaced, Unfinished: f.Unfinished, Unnamed: f.Unnamed, Temporary: f.Temporary,
		})
	}
	if m.FetchError != nil && !a.overcome(m.FetchError) {
		s.Media.LastError = m.FetchError.Error()
	}
	if m.Waits != nil && !a.overcome(m.Waits) {
		s.Media.Waits = m.Waits.Error()
	}
	if m.Barred != nil && s.Service.Refused == "" {
		s.Service.Refused = m.Barred.Error()
	}
}

// addJobs adds the jobs that may still be running, and those that ended badly.
func (a *account) addJobs(s *control.Status) {
	jobs, err := a.documents.JobsUnderWay()
	if err != nil {
		a.settings.Log.Warn("the jobs under way cannot be listed", "error", err)
	}
	for _, j := range jobs {
		s.Jobs = append(s.Jobs, control.Job{GUID: j.GUID, Place: a.hooks.PathOf(j.Paper), Since: j.Began, Asked: timeOrNil(j.Asked)})
	}
	failed, err := a.documents.FailedJobs()
	if err != nil {
		a.settings.Log.Warn("the jobs that failed cannot be listed", "error", err)
	}
	for _, j := range failed {
		s.FailedJobs = append(s.FailedJobs, control.FailedJob{GUID: j.GUID, Place: a.hooks.PathOf(j.Paper), Since: j.Began, Status: string(j.Status), Reason: j.Reason})
	}
}

// uploads returns the queued files, and the uploads that programs wait for.
func (a *account) uploads() []control.Upload {
	var all []control.Upload
	queued := map[string]bool{}
	for _, q := range a.media.Queue() {
		queued[q.Place] = true
		all = append(all, control.Upload{Path: q.Path, Place: q.Place, Size: q.Size, Sent: q.Sent, LastError: q.LastError})
	}
	for _, u := range a.media.Uploads() {
		if !queued[u.Place] {
			all = append(all, control.Upload{Path: u.Path, Place: u.Place, Size: u.Total, Sent: u.Sent})
		}
	}
	return all
}
