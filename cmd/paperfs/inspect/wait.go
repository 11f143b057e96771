package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"paperfs/cache/media"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/control"
	"paperfs/fs/inode"
	"paperfs/remote"
	"paperfs/remote/clock"
	"paperfs/remote/shellword"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
)

// lookAgain is how often wait reads the mount's files. The mount decides itself how often
// it sends requests.
const lookAgain = 100 * time.Millisecond

// otherJobs is for how long wait looks for a job of others: the mount looks itself each five seconds.
const otherJobs = 6 * time.Second

// Errors for a job that failed.
var (
	ErrJobFailed        = errors.New("the PDF could not be processed")
	ErrEnrichmentFailed = errors.New("the pages are there, but links or enrichment failed")
)

func NewWait() *cobra.Command {
	return &cobra.Command{
		Use:   "wait [PATH]",
		Short: "Wait for a paper's pages, or for all uploads",
		Long: `If PATH is in a paper, or is the PDF beside one, the command waits until the service has processed the PDF, whoever sent it.
Elsewhere in a mount, it waits until all files are on the service; for a category, then also for the PDFs in it that were sent
from here. Without PATH, it is the mount that you are in, or your only one.

The exit code is 15 if a PDF could not be processed, and 16 if only its links or products failed. It is 19 if files, or a
PDF of the paper that no later one has replaced, are in .paperfs/failed in place of the service, which the command names, or if
the mount has lost its state directory, or may not write it, and so sends nothing.`,
		Example: `paperfs wait ~/ipaper/papers/Archive/Spring.paper
paperfs wait ~/ipaper`,
		Args: cobra.MaximumNArgs(1),
		RunE: inMount(func(cmd *cobra.Command, m mounted, inside string) error {
			ctx := serving.UntilSignal(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			if paper := m.paperAt(inside); paper != "" {
				return m.waitForJob(ctx, paper, cmd.ErrOrStderr())
			}
			if _, err := os.Lstat(filepath.Join(m.dir, inside)); errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // a paper's name without .paper, for example
				return fmt.Errorf("%s: %w", filepath.Join(m.dir, inside), syscall.ENOENT)
			}
			if err := m.waitForFiles(ctx, cmd.ErrOrStderr()); err != nil {
				return err
			}
			if strings.HasPrefix(inside+"/", "papers/") {
				return m.waitForJobs(ctx, inside, cmd.ErrOrStderr())
			}
			return m.sayUnprocessed(cmd.ErrOrStderr())
		}),
	}
}

// paperOf returns the paper's directory that contains a path, or "".
func paperOf(inside string) string {
	if !strings.HasPrefix(inside, "papers/") {
		return ""
	}
	for dir := inside; dir != "." && dir != "papers"; dir = filepath.Dir(dir) {
		if strings.HasSuffix(dir, ".paper") {
			return dir
		}
	}
	return ""
}

// paperAt returns the paper that contains a path, or the paper of a PDF beside it, or
// "".
func (m mounted) paperAt(inside string) string {
	if paper := paperOf(inside); paper != "" || !strings.HasPrefix(inside, "papers/") {
		return paper
	}
	ending := filepath.Ext(inside)
	if at, err := os.Lstat(filepath.Join(m.dir, inside)); ending != ".pdf" && ending != ".PDF" || err != nil || at.IsDir() {
		return ""
	}
	return m.inItsForm(strings.TrimSuffix(inside, ending) + ".paper")
}

// inItsForm returns a paper in the Unicode form of its existing name, since its PDF may use
// the other form. The name of a missing paper is unchanged.
func (m mounted) inItsForm(paper string) string {
	for _, form := range formsOf(paper) {
		if _, err := os.Lstat(filepath.Join(m.dir, form)); err == nil {
			return form
		}
	}
	return paper
}

// waitForJob waits until a paper's last job has ended. It also fails if a PDF of the paper was refused.
func (m mounted) waitForJob(ctx context.Context, paper string, stderr io.Writer) error {
	began, pdfs, sent := time.Now(), pdfNames(paper), cli.Shown(stderr, cli.Always("sending the PDF of "+filepath.Base(paper)))
	err := m.waitUntilSent(ctx, func(place string) bool { return slices.Contains(pdfs, place) }) // an interrupted close is sent in the background
	sent()
	if err != nil {
		return err
	}
	refused := m.unpublished(began, pdfs...)
	paper = m.inItsForm(paper) // its upload may have created it
	defer cli.Shown(stderr, func() string {
		percent, _ := m.progress(paper)
		return fmt.Sprintf("processing %s: %d %%", filepath.Base(paper), percent)
	})()
	m.progress(paper) // has the mount look what others have processed, to show it as the job
	for began = time.Now(); ; {
		text, err := os.ReadFile(filepath.Join(m.dir, paper, "job"))
		if e, is := errors.AsType[*os.PathError](err); is {
			e.Path = filepath.Join(m.dir, paper) // that is what there is not
		}
		if err != nil {
			return errors.Join(refused, err)
		}
		line, reason, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		_, status, ok := strings.Cut(line, " ")
		if !ok {
			_, underWay := m.progress(paper)
			pages, _ := os.ReadDir(filepath.Join(m.dir, paper, "pages"))
			switch {
			case refused != nil:
				return refused
			case underWay:
			case len(pages) > 0: // others had it processed before
				return nil
			case time.Since(began) > otherJobs:
				return fmt.Errorf("no processing job of %s is known", paper)
			}
		} else if over, err := jobOutcome(remote.JobStatus(status), reason); over {
			return errors.Join(err, refused)
		}
		if err := pause(ctx, lookAgain); err != nil {
			return err
		}
	}
}

// waitUntilSent waits until nothing of some places is under way.
func (m mounted) waitUntilSent(ctx context.Context, of func(place string) bool) error {
	return m.waitUntil(ctx, func(s control.Status) bool {
		return !slices.ContainsFunc(s.Media.Uploads, func(u control.Upload) bool { return of(u.Place) })
	})
}

func (m mounted) waitUntil(ctx context.Context, over func(control.Status) bool) error {
	for {
		s, _, err := m.status()
		if err == nil && s.Lost != "" {
			err = unpublishedError([]string{cli.Printable(s.Lost)})
		}
		if err != nil || over(s) {
			return err
		}
		if slices.ContainsFunc(s.Media.Uploads, func(u control.Upload) bool { return u.LastError == media.SendsNothing }) { // a read-only mount
			return errors.New(media.SendsNothing)
		}
		if err := pause(ctx, lookAgain); err != nil {
			return err
		}
	}
}

// jobOutcome returns how a job ended; over is false while it runs.
func jobOutcome(status remote.JobStatus, reason string) (over bool, err error) {
	switch status {
	case remote.JobPending:
		return false, nil
	case remote.JobCompleted:
		return true, nil
	case remote.JobEnrichmentFailed:
		err = ErrEnrichmentFailed
	default:
		err = ErrJobFailed
	}
	if reason != "" {
		return true, fmt.Errorf("%s: %w: %s", status, err, reason)
	}
	return true, fmt.Errorf("%s: %w", status, err)
}

// progress returns how far a paper's PDF is processed, in percent, if it is.
func (m mounted) progress(paper string) (percent int, underWay bool) {
	text, err := stat(filepath.Join(m.dir, paper, "job"))
	var d inode.Description
	if err != nil || json.Unmarshal(text, &d) != nil || d.Progress == nil {
		return 0, false
	}
	return *d.Progress, true
}

// waitForFiles waits until no file of the mount is under way. It fails if not all of them
// were published.
func (m mounted) waitForFiles(ctx context.Context, stderr io.Writer) error {
	began := time.Now()
	if err := m.waitUntilIdle(ctx, stderr); err != nil {
		return err
	}
	return m.unpublished(began)
}

// waitForJobs waits until the jobs of the papers in a category have ended, of which the mount knows, and returns
// how the first one ended badly: one of this wait, or of a day before it.
func (m mounted) waitForJobs(ctx context.Context, category string, stderr io.Writer) (failed error) {
	s, _, err := m.status()
	if err != nil {
		return err
	}
	var papers []string
	for _, j := range s.FailedJobs {
		papers = append(papers, j.Place)
	}
	for _, j := range s.Jobs {
		papers = append(papers, j.Place)
	}
	for _, paper := range papers {
		if !strings.HasPrefix(paper, category+"/") {
			continue
		}
		if err := m.waitForJob(ctx, paper, stderr); err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", filepath.Join(m.dir, paper), err)
		}
	}
	return failed
}

// sayUnprocessed says that the service may still be processing PDFs that it has.
func (m mounted) sayUnprocessed(out io.Writer) error {
	s, _, err := m.status()
	if err != nil || len(s.Jobs) == 0 {
		return err
	}
	_, err = fmt.Fprintf(out, "All files are on the service, which may still be processing %s. To wait for the pages, run: paperfs wait %s\n",
		english.Plural(len(s.Jobs), "PDF", ""), shellword.Quote(filepath.Join(m.dir, s.Jobs[0].Place)))
	return err
}

func (m mounted) waitUntilIdle(ctx context.Context, stderr io.Writer) error {
	var t tally
	var now atomic.Pointer[string]
	now.Store(new("asking the mount"))
	defer cli.Shown(stderr, func() string { return *now.Load() })()
	return m.waitUntil(ctx, func(s control.Status) bool {
		now.Store(new(t.add(s.Media)))
		return s.Media.Idle
	})
}

func pause(ctx context.Context, d time.Duration) error {
	if clock.Sleep(ctx, d) != nil {
		return errors.New("interrupted")
	}
	return nil
}
