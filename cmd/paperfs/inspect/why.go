package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paperfs/cache/content/localname"
	"paperfs/cache/failure"
	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/inode"
	"paperfs/remote/shellword"

	"github.com/spf13/cobra"
)

func NewWhy() *cobra.Command {
	return &cobra.Command{
		Use:   "why PATH",
		Short: "Explain the last failure at a path",
		Long:  `The reason is in the service's own words. For content in .paperfs/failed, the command says why it could not be sent.`,
		Example: `paperfs why ~/ipaper/papers/Archive/Spring.paper/publication
paperfs why ~/ipaper/.paperfs/failed/film.mp4`,
		Args: cobra.ExactArgs(1),
		RunE: inMount(func(cmd *cobra.Command, m mounted, inside string) error {
			text, err := m.read("errors")
			if err != nil {
				return err
			}
			e, ok, err := lastOf(text, func(e failure.Event) bool {
				names, path := append(pdfNames(inside), inside), strings.Trim(e.Path, "/")
				return slices.Contains(names, path) || e.To != "" && slices.Contains(names, e.To) || e.Op == "rm" && path == paperOf(inside)
			})
			if err != nil {
				return err
			}
			words := explain(e)
			if beside, found, err := m.lastBeside(text, inside); err == nil && found && beside.Time.After(e.Time) {
				words, ok, e = "a program could not create the file that should replace this one. "+explain(beside), true, beside
			}
			if !ok {
				if words, err = m.keptReason(inside); errors.Is(err, errNotFailed) {
					words, err = m.nothingKnown(cmd.Flags().Arg(0), inside)
				}
			} else if f, err := m.failed(inside); err == nil && !f.Gone && slices.Contains(sending, e.Op) {
				words = strings.TrimSuffix(words, ".") + "; its content is in .paperfs/failed/" + f.Name
			}
			if hidden := m.hiddenPDF(inside); hidden != "" && err == nil {
				words += "; " + hidden
			} else if hidden != "" {
				words, err = hidden, nil
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), cli.Printable(words))
			return err
		}),
	}
}

// sending are the operations after whose failure content is in .paperfs/failed. What is there when a mv or rm is refused, is
// of an earlier failure.
var sending = []string{"upload", "process", "fsync", "write"}

// nothingKnown says that no failure of a path is known. If the path does not exist either,
// it returns an error.
func (m mounted) nothingKnown(path, inside string) (string, error) {
	words := fmt.Sprintf("no failure of %s is known", path) + m.noPDF(inside)
	if _, err := os.Lstat(filepath.Join(m.dir, inside)); err != nil {
		return "", fmt.Errorf("%s: %w", words, errors.Unwrap(err)) // without the operation and the path
	}
	if text, err := judged(path); err == nil {
		var d inode.Description
		_ = json.Unmarshal(text, &d) // without it, there is nothing to add
		if d.LastError != "" {
			return fmt.Sprintf("%s: %s", path, d.LastError), nil
		}
		if d.State == inode.Local && strings.HasPrefix(inside, "media/") {
			words += "; it stays on this machine: `paperfs help names`"
		}
		if paperOf(inside) == inside && d.Publication == "public" && d.Period == "" {
			words += "; it is " + publicAtOnce
		} else if paperOf(inside) == inside && d.Publication == "not public" {
			words += "; it is " + publication(d)
		}
		if job, err := os.ReadFile(filepath.Join(m.dir, inside, "job")); err == nil && d.Kind == "paper" {
			if _, warnings, found := strings.Cut(strings.TrimSpace(string(job)), "\n"); found {
				words += "; of its PDF the service says: " + strings.ReplaceAll(warnings, "\n", " ")
			}
		}
	}
	return words, nil
}

// noPDF says why a path may have no PDF although nothing failed. The close of an empty one succeeds, because programs
// make a file first and fill it later.
func (m mounted) noPDF(inside string) string {
	pdf := inside
	if paperOf(inside) == inside {
		pdf += "/source.pdf"
	}
	info, err := os.Lstat(filepath.Join(m.dir, pdf))
	switch {
	case !strings.HasPrefix(inside, "papers/"), !strings.EqualFold(filepath.Ext(pdf), ".pdf"), err == nil && info.Size() > 0:
		return ""
	case err == nil:
		return "; it has no PDF: the close of an empty file (0 bytes) succeeds, and sends nothing"
	}
	return " (the close of an empty PDF, of 0 bytes, succeeds, and makes nothing)"
}

// hiddenPDF says what rm of the PDF of a paper has done, or returns "". A PDF's names exist as long as its paper does,
// unless rm has hidden them.
func (m mounted) hiddenPDF(inside string) string {
	paper := strings.TrimSuffix(inside, "/source.pdf")
	if !strings.HasSuffix(paper, ".paper") {
		paper = strings.TrimSuffix(paper, filepath.Ext(paper)) + ".paper"
	}
	_, err := os.Lstat(filepath.Join(m.dir, inside))
	if err == nil || !strings.HasPrefix(inside, "papers/") || !strings.EqualFold(filepath.Ext(inside), ".pdf") || !m.isDir(paper) {
		return ""
	}
	return "/" + inside + " was removed here, which only hides this name of the paper's PDF: the paper stays, with its pages, and the next mount shows the name; to delete the paper, where deleting is allowed, run: rmdir " + shellword.Quote(paper)
}

// keptReason says why content is in .paperfs/failed. That record outlasts the mount whose
// upload failed.
func (m mounted) keptReason(inside string) (string, error) {
	f, err := m.failed(inside)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: /%s was not published, its content is in .paperfs/failed/%s: %s",
		f.Since.Local().Format(time.DateTime), f.Place, f.Name, f.Reason), nil
}

// lastOf returns the newest line of the list of failures that is accepts.
func lastOf(list []byte, is func(failure.Event) bool) (last failure.Event, found bool, err error) {
	for line := range bytes.Lines(list) {
		e, err := failure.Parse(strings.TrimSuffix(string(line), "\n"))
		if err != nil {
			return failure.Event{}, false, err
		}
		if is(e) && !e.Time.Before(last.Time) { // one that was told again has the later time in its old place
			last, found = e, true
		}
	}
	return last, found, nil
}

// lastBeside returns the newest failure to create a file that was to replace an existing one, as sed -i does. Its name
// ends in random characters, so users do not ask for it.
func (m mounted) lastBeside(list []byte, inside string) (failure.Event, bool, error) {
	if info, err := os.Lstat(filepath.Join(m.dir, inside)); err != nil || !info.Mode().IsRegular() {
		return failure.Event{}, false, nil
	}
	return lastOf(list, func(e failure.Event) bool {
		path := strings.Trim(e.Path, "/")
		dir, name := filepath.Split(path)
		return e.Op == "create" && path != inside && filepath.Clean(dir) == filepath.Dir(inside) && localname.CommMatters(name)
	})
}

// explain describes a failure in a sentence.
func explain(e failure.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s /%s", e.Time.Local().Format(time.DateTime), e.Op, strings.Trim(e.Path, "/"))
	if e.To != "" {
		b.WriteString(" to /" + e.To)
	}
	b.WriteString(" failed with " + e.Errno)
	if e.Code != "" {
		fmt.Fprintf(&b, " (the service answered %s)", e.Code)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if !e.Mended.IsZero() {
		b.WriteString("; a later operation on it succeeded at " + e.Mended.Local().Format(time.DateTime))
	}
	return b.String()
}
