package inspect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"
	"paperfs/remote/shellword"

	"github.com/spf13/cobra"
)

func NewRetry() *cobra.Command {
	over := false
	cmd := &cobra.Command{
		Use:   "retry PATH",
		Short: "Send unpublished files again",
		Long: `PATH is a file in .paperfs/failed, or the path that it was meant for, or the paper. With .paperfs/failed itself, all files in
it are sent; with MOUNTPOINT, the whole queue is, at once. A file whose path has newer content is left alone, unless --over
tells the command to replace that.`,
		Example: `paperfs retry ~/ipaper/media/film.mp4
paperfs retry --over ~/ipaper/media/film.mp4
paperfs retry ~/ipaper/.paperfs/failed
paperfs retry ~/ipaper`,
		Args: cobra.ExactArgs(1),
		RunE: inMount(func(cmd *cobra.Command, m mounted, inside string) error {
			stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
			switch inside {
			case "":
				return m.tell("retry", "")
			case ".paperfs/failed":
				defer cli.Shown(stderr, cli.Always("sending"))()
				return m.retryAll(stdout)
			}
			f, err := m.failed(inside)
			if err == nil && strings.HasPrefix(f.Place, "media/") {
				m.lookAgain("media")
				f, err = m.failed(inside)
			}
			if err != nil {
				return err
			}
			defer cli.Shown(stderr, cli.Always("sending"))()
			return m.retry(stdout, f, over)
		}),
	}
	cmd.Flags().BoolVar(&over, "over", false, "replace what somebody has put there since")
	return cmd
}

// lookAgain makes the mount refresh a tree. It ignores a failure: then what is sent fails,
// too, or the service offers no listing.
func (m mounted) lookAgain(tree string) { _, _ = m.ask("refresh", tree) }

// retry sends failed content again: moving it out of failed/ is the upload. It replaces only
// the file that the content was to replace, unless over is set, and says so. It does not send
// content whose name is unknown. A PDF goes to its paper, whatever path that has at the moment.
func (m mounted) retry(out io.Writer, f control.Failed, over bool) error {
	if f.Gone { // the tree that a mount begins with may be older than the paper
		m.lookAgain("papers")
		if now, err := m.failed(".paperfs/failed/" + f.Name); err == nil {
			f = now
		}
	}
	from, to := m.control(filepath.Join("failed", f.Name)), filepath.Join(m.dir, f.Place)
	if f.Unnamed {
		return fmt.Errorf("the name of %s is not known: the mount was killed before it recorded the name. To publish it, run: mv -- %s %s", from,
			shellword.Quote(from), shellword.Quote(filepath.Join(m.dir, "media"))+"/NAME")
	}
	if f.Temporary {
		return fmt.Errorf("%s had a temporary name, and only NAME.pdf is processed. To send it, run: mv -- %s %s", to,
			shellword.Quote(from), m.beside(f.Place))
	}
	if f.Gone {
		return fmt.Errorf("%s was for a paper or category that is not here any more: it was deleted, or moved out of this mount. To make a new paper of it, run: mv -- %s %s",
			from, shellword.Quote(from), m.beside(strings.Replace(f.Place, ".paper/", "/", 1)))
	}
	if f.Replaced && !over {
		return fmt.Errorf("%s has changed since this content failed, at %s, so it is not replaced. To replace it, run: paperfs retry --over %s", to,
			f.Since.Local().Format(time.DateTime), shellword.Quote(from))
	}
	if f.Unfinished && f.Size == 0 {
		return fmt.Errorf("nothing is left of %s, so nothing is sent: %s. Copy the file again, and run: paperfs discard %s", to, f.Reason, shellword.Quote(from))
	}
	if there, err := os.Lstat(to); err == nil && there.Size() > 0 {
		because := "because nothing has changed it since this content failed"
		if f.Replaced {
			because = "although it has changed since this content failed"
		}
		fmt.Fprintln(out, cli.Printable(to)+" is replaced, "+because)
	}
	target := to
	if f.Paper != 0 {
		target = filepath.Join(m.dir, "by-id", strconv.FormatInt(f.Paper, 10), "source.pdf")
	}
	err := os.Rename(from, target)
	if dir := filepath.Dir(f.Place); errors.Is(err, fs.ErrNotExist) && !m.isDir(dir) {
		return fmt.Errorf("%s is not here any more: it was renamed, moved or deleted since %s failed. To send the file elsewhere, run: mv -- %s %s",
			filepath.Join(m.dir, dir), from, shellword.Quote(from), m.beside(f.Place))
	}
	if err != nil {
		return fmt.Errorf("%s was not sent again: %w (`paperfs why %s` says more)", to, errors.Unwrap(err), shellword.Quote(from))
	}
	return nil
}

// beside returns the quoted path for a file of media/, or for a PDF with another name, such as one for content with a
// temporary name: in its directory, or in the nearest existing one above.
func (m mounted) beside(place string) string {
	dir := filepath.Dir(place)
	for dir != "papers" && dir != "media" && dir != "." && !m.isDir(dir) {
		dir = filepath.Dir(dir)
	}
	name := "NAME.pdf"
	switch {
	case !strings.HasPrefix(place, "papers/"):
		name = shellword.Quote(filepath.Base(place))
	case strings.HasSuffix(dir, ".paper"):
		name = "source.pdf"
	}
	return shellword.Quote(filepath.Join(m.dir, dir)) + "/" + name
}

func (m mounted) isDir(inside string) bool {
	info, err := os.Stat(filepath.Join(m.dir, inside))
	return err == nil && info.IsDir()
}

// retryAll sends all failed content again, one after the other. Content that fails again
// stays, and the others continue. Content that may be incomplete also stays: the user has
// to ask for it by name.
func (m mounted) retryAll(out io.Writer) error {
	m.lookAgain("media")
	s, _, err := m.status()
	if err != nil {
		return err
	}
	for _, listed := range s.Media.FailedFiles {
		f, gone := m.failed(".paperfs/failed/" + listed.Name) // what was just sent may be at the place of this one
		switch {
		case gone != nil:
			err = errors.Join(err, gone)
		case f.Unfinished && f.Size > 0 && !f.Unnamed && !f.Temporary && !f.Replaced && !f.Gone:
			from := m.control(filepath.Join("failed", f.Name))
			err = errors.Join(err, fmt.Errorf("%s may be a part of the file, so it is not sent: %s. To send it as it is, run: paperfs retry %s",
				from, f.Reason, shellword.Quote(from)))
		default:
			err = errors.Join(err, m.retry(out, f, false))
		}
	}
	return err
}
