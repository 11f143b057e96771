package inspect

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"
	"paperfs/remote/shellword"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// print shows an answer as a table.
func (u *undo) print(answer control.Undone) error {
	return cli.Table(u.cmd, func(line func(...any)) {
		if len(answer.Entries) > 0 {
			line("ENTRY", "KIND", "WHAT", "WHEN", "ACCOUNT", "SIZE", "PATH")
		}
		for _, k := range answer.Entries {
			mark := map[bool]string{true: "*"}[k.Next]
			line(strconv.FormatInt(k.Entry, 10)+mark, kindOf(k), whatOf(k), timeOf(k), k.Account, sizeOf(k), pathOf(k))
		}
		for _, k := range answer.Back {
			line(keptWords(k, u.whereNow(k))...)
		}
		for _, k := range answer.Purged {
			line(keptWords(k, "removed for good")...)
		}
		for _, k := range answer.Left {
			not := "not brought back: "
			if u.asked.Purge {
				not = "not removed: "
			}
			line(keptWords(k, not+k.Reason)...)
		}
	})
}

// judge says what was done, as far as the table does not. It fails if nothing came back or was removed, or not all.
func (u *undo) judge(answer control.Undone) error {
	out := u.cmd.OutOrStdout()
	if u.json {
		out = io.Discard
	}
	done, what := len(answer.Back), "came back"
	if u.asked.Purge {
		done, what = len(answer.Purged), "removed for good"
	}
	words := english.Plural(done, "thing", "") + " " + what
	place := shellword.Quote(u.place())
	switch {
	case u.asked.List && len(answer.Entries) == 0:
		fmt.Fprintf(out, "The service keeps nothing that was deleted or replaced at or below %s.\n", place)
	case u.asked.List:
		if slices.ContainsFunc(answer.Entries, func(k control.Kept) bool { return k.Next }) {
			fmt.Fprintf(out, "To bring back those with *, run: paperfs undo --since %s %s\n", shellword.Quote(answer.Since.Local().Format(time.DateTime)), place)
		}
		fmt.Fprintf(out, "To bring one back, run: paperfs undo %s ENTRY\n", place)
	case len(answer.Left) > 0:
		return fmt.Errorf("%s, and %d not", words, len(answer.Left))
	case done > 0:
		fmt.Fprintf(out, "%s.\n", words)
	case answer.Kept > 0:
		return fmt.Errorf("nothing more that your account deleted or replaced at or below %s can be brought back at once; other versions of what was there are kept. To see them, run: paperfs undo --list %s", u.place(), place)
	default:
		return fmt.Errorf("nothing that your account deleted or replaced at or below %s can be brought back", u.place())
	}
	return nil
}

// whereNow says what a paper or category that came back is called now, and what else has its name: then both carry their
// ids. It returns "" for what is not there, and for what has no name of its own.
func (m mounted) whereNow(k control.Kept) string {
	id, link := strconv.FormatInt(k.ID, 10), ""
	hidden, is := map[string]string{"paper": "", "category": ".category"}[k.Kind]
	if is {
		link, _ = os.Readlink(filepath.Join(m.dir, "by-id", id))
	}
	if link == "" {
		return ""
	}
	dir, name := filepath.Split(filepath.Join("/by-id", link))
	address, _ := os.ReadFile(filepath.Join(m.dir, dir, name, hidden, "url")) // it is in the tree, as the link is
	words := fmt.Sprintf("now %s with the address %s", dir+name, strings.TrimSpace(string(address)))
	before, after, shared := strings.Cut(name, "~"+id)
	siblings, _ := os.ReadDir(filepath.Join(m.dir, dir))
	for _, s := range siblings {
		number, is := strings.CutPrefix(strings.TrimSuffix(s.Name(), after), before+"~")
		if shared && is && s.Name() != name && strings.HasSuffix(s.Name(), after) && strings.Trim(number, "0123456789") == "" {
			words += ", beside " + s.Name()
		}
	}
	return cli.Printable(words)
}

// keptWords is a line about what came back, or not.
func keptWords(k control.Kept, more string) []any {
	if k.Kind == "" { // no such entry
		return []any{fmt.Sprint("entry ", k.Entry), "", "", more}
	}
	path := strings.TrimRight(pathOf(k)+"  "+more, " ") // last: it may be long
	if k.At.IsZero() {                                  // a parent, or what changed meanwhile: the answer has no more of it
		return []any{kindOf(k), "", "", path}
	}
	return []any{kindOf(k), whatOf(k) + " " + timeOf(k), sizeOf(k), path}
}

func pathOf(k control.Kept) string { return "/" + cli.Printable(k.Path) }

func timeOf(k control.Kept) string { return k.At.Local().Format(time.DateTime) }

func whatOf(k control.Kept) string {
	if k.Replaced {
		return "replaced"
	}
	return "deleted"
}

func sizeOf(k control.Kept) string {
	if !hasContent(k) {
		return ""
	}
	return humanize.IBytes(uint64(max(k.Bytes, 0)))
}

func hasContent(k control.Kept) bool { return k.Kind == "file" || k.Kind == "pdf" }

// kindOf also has the name of a paper or category, as its path has its address.
func kindOf(k control.Kept) string {
	if k.Kind == "paper" || k.Kind == "category" {
		return k.Kind + " " + cli.Printable(strconv.Quote(k.Name))
	}
	return k.Kind
}
