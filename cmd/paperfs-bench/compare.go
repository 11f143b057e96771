package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/spf13/cobra"
)

// work is one piece of work. do ends its attempt if it fails, with errNotHere if the peer cannot do it.
type work struct {
	title string
	do    func(at *place) took
}

// took is what a piece of work took.
type took struct {
	time time.Duration
	note string
}

// errNotHere means that the peer cannot do the work.
var errNotHere = errors.New("not possible here")

func newCompareCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "compare", Short: "Run the same work on all peers in turn", Args: cobra.NoArgs}
	cmd.AddCommand(newUploadsCommand(), newListingsCommand(), newReadsCommand())
	return cmd
}

// compare does all pieces of work on all peers in turn, and prints the table. A session is work
// that is done in one place; begin returns what the servers have before.
func compare(r *rig, out io.Writer, begin func(*rig) setup, sessions ...[]work) {
	chosen, skipped := choosePeers(r)
	t := &table{unit: paperfsPeer.name, remarks: skipped}
	from := begin(r)
	failed := attempt(func() {
		for range r.runs {
			for _, session := range sessions {
				for _, p := range chosen {
					must(visit(r, p, from, session, t))
				}
			}
		}
	})
	must(errors.Join(failed, t.write(out))) // what there is so far is worth showing
}

// visit sets a peer up, does the work, and takes the peer down. The table has what fails.
func visit(r *rig, p peer, from setup, session []work, t *table) error {
	part := r.part(p.name)
	return part.use(func(*rig) {
		if from.served == "" {
			from.served = part.makeDir("served")
		}
		r.say(p.name, session[0].title)
		var at *place
		if err := attempt(func() { at = p.open(part, from) }); err != nil {
			must(r.ctx.Err())
			t.remarks = append(t.remarks, fmt.Sprintf("Skipped %s: cannot be set up: %v", p.name, err))
			return
		}
		for _, w := range session {
			part.settle()
			var took took
			err := attempt(func() { took = w.do(at) })
			must(r.ctx.Err())
			t.add(p.name, w.title, took, err)
		}
	})
}

// timed runs a program.
func (at *place) timed(cmd *exec.Cmd) (took took, printed []byte) {
	begin := time.Now()
	printed = at.run(cmd)
	took.time = time.Since(begin)
	return took, printed
}
