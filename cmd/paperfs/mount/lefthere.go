package mount

import (
	"fmt"
	"io"
	"path"
	"strings"

	"paperfs/cache/content/localname"
	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"

	"github.com/dustin/go-humanize"
)

// mostLeft is how many files sayLeft names.
const mostLeft = 10

// sayLeft lists the files with content that only this machine has when a mount ends, because
// they never got a name that would send them. For each it prints where the content is and
// what the next mount does with it. It leaves out names that are not meant for publication.
func sayLeft(to io.Writer, names []control.Local) {
	var left []control.Local
	for _, n := range names {
		if n.Size > 0 && (!inMedia(n) || localname.Unfinished(path.Base(n.Place))) {
			left = append(left, n)
		}
	}
	if len(left) == 0 {
		return
	}
	var b strings.Builder
	for _, n := range left[:min(mostLeft, len(left))] {
		next := "the next mount puts it into .paperfs/failed/; mv from there to a PDF's name in papers/ sends it"
		if inMedia(n) {
			next = "the next mount shows it there; mv to its real name sends it"
		}
		fmt.Fprintf(&b, "\n  %s (%s): %s", cli.Printable(n.Place), humanize.IBytes(uint64(n.Size)), next)
	}
	if more := len(left) - mostLeft; more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	fmt.Fprintf(to, "paperfs: not on the service, because their names are unfinished; kept in %s:%s\n", cli.Printable(left[0].Kept), b.String())
}

// inMedia reports whether a name is below media/, where the next mount shows it.
func inMedia(n control.Local) bool { return strings.HasPrefix(n.Place, "media/") }
