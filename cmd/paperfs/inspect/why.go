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

	"github.com/spf13/cobra"
)

func NewWhy() *cobra.Command {
	return &cobra.Command{
		Use:   "why PATH",
		Short: "Explain the last failure at a path",
		Long: `The reason is in the service's own words. Of content in .paperfs/failed, the command says why it was
not published.`,
		Example: `paperfs why ~/ipaper/papers/Archive/Spring.paper/publication
paperfs why ~/ipaper/.paperfs/failed/film.mp4`,
		Args: cobra.ExactArgs(1),
		RunE: inMount(func(cmd *cobra.Command, m mounted, inside string) error {
			text, err := m.read("errors")
			if err != nil {
				return err
			}
			e, ok, err := lastOf(text, func(e failure.Event) bool {
				return slices.Contains(append(pdfNames(inside), inside), strings.Trim(e.Path, "/"))
			})
			if err != nil {
				return err
			}
			words := explain(e)
			if beside, found, err := m.lastBeside(text, inside); err == nil && found && beside.Time.After(e.Time) {
				words, ok = "a program could not create the file that should replace this one. "+explain(beside), true
			}
			if !ok {
				if words, err = m.keptReason(inside); errors.Is(err, errNotFailed) {
					words, err = m.lastInside(text, cmd.Flags().Arg(0), inside)
				}
			} else if f, err := m.failed(inside); err == nil && !f.Gone {
				words = strings.TrimSuffix(words, ".") + "; its content is in .paperfs/failed/" + f.Name
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), cli.Printable(words))
			return err
		}),
	}
}

// lastInside explains the newest failure of a file in a paper, such as that of rm -r, which never gets
// to the paper itself, or returns the words of nothingKnown.
func (m mounted) lastInside(list []byte, path, inside string) (string, error) {
	if paperOf(inside) != inside {
		return m.nothingKnown(path, inside)
	}
	e, found, err := lastOf(list, func(e failure.Event) bool { return strings.HasPrefix(strings.Trim(e.Path, "/"), inside+"/") })
	if err != nil || !found {
		return m.nothingKnown(path, inside)
	}
	return explain(e), nil
}

// nothingKnown says that no failure of a path is known. If the path does not exist either,
// it returns an error.
func (m mounted) nothingKnown(path, inside string) (string, error) {
	words := fmt.Sprintf("no failure of %s is known", path) + m.noPDF(inside)
	if _, err := os.Lstat(filepath.Join(m.dir, inside)); err != nil {
		return "", fmt.Errorf("%s: %w", words, errors.Unwrap(err)) // without the operation and the path
	}
	if text, err := stat(path); err == nil {
		var d inode.Description
		_ = json.Unmarshal(text, &d) // without it, there is nothing to add
		if d.LastError != "" {
			return fmt.Sprintf("%s: %s", path, d.LastError), nil
		}
		if d.State == inode.Local && strings.HasPrefix(inside, "media/") {
			words += "; it stays on this machine: `paperfs help names`"
		}
		if d.Kind == "paper" && d.Publication == "public" && d.Period == "" {
			words += "; it is " + publicAtOnce
		}
	}
	return words, nil
}

// noPDF says why a path may have no PDF although nothing failed. The close of an empty one succeeds, because programs
// make a file first and fill it later. A PDF's names exist as long as its paper does, unless rm has hidden them.
func (m mounted) noPDF(inside string) string {
	pdf := inside
	if paperOf(inside) == inside {
		pdf += "/source.pdf"
	}
	info, err := os.Lstat(filepath.Join(m.dir, pdf))
	paper := strings.TrimSuffix(pdf, "/source.pdf")
	switch {
	case !strings.HasPrefix(inside, "papers/"), !strings.EqualFold(filepath.Ext(pdf), ".pdf"), err == nil && info.Size() > 0:
		return ""
	case err == nil:
		return "; it has no PDF: the close of an empty file (0 bytes) succeeds, and sends nothing"
	case m.isDir(paper), m.isDir(strings.TrimSuffix(paper, filepath.Ext(paper)) + ".paper"):
		return " (it was removed here, which only hides this name of the paper's PDF: the next mount shows it)"
	}
	return " (the close of an empty PDF, of 0 bytes, succeeds, and makes nothing)"
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
		if is(e) {
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
	fmt.Fprintf(&b, "%s: %s /%s failed with %s", e.Time.Local().Format(time.DateTime), e.Op, strings.Trim(e.Path, "/"), e.Errno)
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
