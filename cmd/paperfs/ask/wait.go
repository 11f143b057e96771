package ask

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
	"syscall"
	"time"

	"paperfs/cache/media"
	"paperfs/cmd/paperfs/aside"
	"paperfs/cmd/paperfs/terminal"
	"paperfs/fs/control"
	"paperfs/fs/describe"
	"paperfs/remote"

	"github.com/spf13/cobra"
)

// wait looks at the mount so often, which decides itself how often it asks the
// service.
const lookAgain = 100 * time.Millisecond

// Errors by which a waited-for job ended.
var (
	ErrJobFailed        = errors.New("the PDF could not be processed")
	ErrEnrichmentFailed = errors.New("the pages are there, but links or enrichment failed")
)

func NewWait() *cobra.Command {
	return &cobra.Command{
		Use:   "wait PATH",
		Short: "Wait until a paper's processing job is over, or until all of a mount's files are at the service",
		Long: `Wait until a paper's processing job is over (if PATH is in a paper, or the PDF
beside one), or until all files of a mount are at the service (if PATH is elsewhere in the mount).

The exit code says how a job ended: 0 Completed, 15 Failed, 16 EnrichmentProcessingFailed. It is 19
if files are in .paperfs/failed and not at the service; the command names them.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := aside.UntilSignal(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			m, inside, err := findMounted(args[0])
			if err != nil {
				return err
			}
			if paper := m.paperAt(inside); paper != "" {
				return m.waitForJob(ctx, paper, cmd.ErrOrStderr())
			}
			if err := m.waitForFiles(ctx, cmd.ErrOrStderr()); err != nil {
				return err
			}
			if _, err := os.Lstat(args[0]); errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // the name of a paper without .paper: its job may go on
				return fmt.Errorf("%s: %w", args[0], syscall.ENOENT)
			}
			return nil
		},
	}
}

// paperOf is the paper's directory that a path lies in, empty where it lies in
// none.
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

// paperAt is the paper that a path lies in, or that a PDF stands for beside it; empty where there is
// none.
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

// inItsForm is a paper by the form of its name that is there, since its PDF may be called by the
// other one. One that is not there yet stays as it is.
func (m mounted) inItsForm(paper string) string {
	for _, form := range formsOf(paper) {
		if _, err := os.Lstat(filepath.Join(m.dir, form)); err == nil {
			return form
		}
	}
	return paper
}

// waitForJob waits until a paper's last job is over.
func (m mounted) waitForJob(ctx context.Context, paper string, stderr io.Writer) error {
	sent := terminal.Shown(stderr, terminal.Always("sending the PDF of "+filepath.Base(paper)))
	err := m.waitForPDF(ctx, paper)
	sent()
	if err != nil {
		return err
	}
	paper = m.inItsForm(paper) // it may have come with the PDF
	bar := newJobBar(stderr, terminal.Printable(filepath.Base(paper)))
	defer bar.end()
	for {
		text, err := os.ReadFile(filepath.Join(m.dir, paper, "job"))
		if err != nil {
			return err
		}
		line, reason, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		_, status, ok := strings.Cut(line, " ")
		if !ok {
			return fmt.Errorf("no processing job of %s is known here", paper)
		}
		if over, err := jobOutcome(remote.JobStatus(status), reason); over {
			return err
		}
		if bar != nil { // which costs a look at the mount
			bar.show(m.progress(paper))
		}
		if err := pause(ctx, lookAgain); err != nil {
			return err
		}
	}
}

// waitForPDF waits until no PDF is on its way to a paper, as its source.pdf or beside it: the
// one of an interrupted close is sent in the background, and its job begins then.
func (m mounted) waitForPDF(ctx context.Context, paper string) error {
	names := pdfNames(paper + "/source.pdf")
	for {
		s, _, err := m.status()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(s.Media.Uploads, func(u control.Upload) bool { return slices.Contains(names, u.Place) }) {
			return nil
		}
		if sendsNothing(s) {
			return errors.New(media.SendsNothing)
		}
		if err := pause(ctx, lookAgain); err != nil {
			return err
		}
	}
}

// sendsNothing reports whether something is queued in a mount that is read-only.
func sendsNothing(s control.Status) bool {
	return slices.ContainsFunc(s.Media.Uploads, func(u control.Upload) bool { return u.LastError == media.SendsNothing })
}

// jobOutcome is how a job ended; over is false while it has not.
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

// progress is how far a paper's job is, in percent.
func (m mounted) progress(paper string) int {
	text, err := stat(filepath.Join(m.dir, paper, "job"))
	var d describe.Description
	if err != nil || json.Unmarshal(text, &d) != nil || d.Progress == nil {
		return 0
	}
	return *d.Progress
}

// waitForFiles waits until nothing of the mount's files is on its way. It
// fails where not all of them arrived.
func (m mounted) waitForFiles(ctx context.Context, stderr io.Writer) error {
	began := time.Now()
	if err := m.waitUntilIdle(ctx, stderr); err != nil {
		return err
	}
	return m.unpublished(began)
}

func (m mounted) waitUntilIdle(ctx context.Context, stderr io.Writer) error {
	var bars *uploadBars // none where there is nothing to wait for
	defer func() { bars.end() }()
	for {
		s, _, err := m.status()
		if err != nil {
			return err
		}
		if bars == nil && !s.Media.Idle {
			bars = newUploadBars(stderr)
		}
		bars.show(s.Media)
		if s.Media.Idle {
			return nil
		}
		if sendsNothing(s) {
			return errors.New(media.SendsNothing)
		}
		if err := pause(ctx, lookAgain); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return errors.New("interrupted")
	case <-time.After(d):
		return nil
	}
}
