package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paperfs/remote"
)

func newMemoryCommand() *cobra.Command {
	var o options
	sizes := []int{10_000, 100_000}
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "Show how much memory a mount takes, by the number of papers",
		Long: `Show how much memory a mount takes, by the number of papers.

The process is measured from outside. The walk is find -name '*.paper' -prune.
The refresh is the most that the mount takes while it reads a tree to which a
paper was added. The saved tree is that of an earlier mount; its time is from the
start of the program to the end of an ls.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, n := range sizes {
				if n < 100 {
					return fmt.Errorf("--papers %d: at least a hundred", n)
				}
			}
			return o.prepare(func() error {
				if o.paperfs == "" {
					return errors.New(hasPaperfs(&rig{}))
				}
				return withRig(cmd, o, func(r *rig) error { return showMemory(r, sizes, cmd.OutOrStdout()) })
			})
		},
	}
	o.bindCommon(cmd)
	cmd.Flags().IntSliceVar(&sizes, "papers", sizes, "how many papers, a hundred in each category; separated by commas")
	return cmd
}

// memoryUse is the memory of a mount with a number of papers, in kB.
type memoryUse struct {
	papers                               int
	bare, tree, walked, refreshed, saved int
	first                                time.Duration // until the saved tree was listed
}

func showMemory(r *rig, sizes []int, out io.Writer) error {
	var b strings.Builder
	b.WriteString("| papers | with the tree, MiB | bytes a paper | after a walk, MiB | bytes a visited node | most in a refresh, MiB | with the saved tree, MiB | until it is listed, s |\n")
	b.WriteString("|---" + strings.Repeat("|---", 7) + "|\n")
	for _, papers := range sizes {
		r.say(fmt.Sprint(papers, " papers"))
		u := memoryUse{papers: papers}
		if err := u.measure(r); err != nil {
			return fmt.Errorf("%d papers: %w", papers, err)
		}
		nodes := papers + papers/100
		fmt.Fprintf(&b, "| %d | %d | %d | %d | %d | %d | %d | %.2f |\n", papers, mib(u.tree), (u.tree-u.bare)<<10/papers,
			mib(u.walked), (u.walked-u.tree)<<10/nodes, mib(u.refreshed), mib(u.saved), u.first.Seconds())
	}
	_, err := fmt.Fprintln(out, b.String())
	return err
}

func mib(kB int) int { return (kB + 512) / 1024 }

func (u *memoryUse) measure(r *rig) error {
	s, err := servePaperfs(r, u.papers, 0)
	if err != nil {
		return err
	}
	at, err := s.mount(r)
	if err != nil {
		return err
	}
	if err := u.inUse(r, s, at); err != nil {
		return err
	}
	if err := at.takeDown(r); err != nil {
		return err
	}
	begin := time.Now()
	if at, err = s.mount(r); err != nil {
		return err
	}
	if _, _, err := timeListing(r, u.papers/100, []string{"ls", at.papers}); err != nil {
		return err
	}
	u.first = time.Since(begin)
	if u.saved, err = at.mount[0].resident(); err != nil {
		return err
	}
	at.server = []*process{s.process}
	return at.takeDown(r)
}

// inUse measures a mount without a saved tree.
func (u *memoryUse) inUse(r *rig, s *paperfsService, at *place) (err error) {
	mount := at.mount[0]
	if u.bare, err = mount.resident(); err != nil {
		return err
	}
	if _, _, err := timeListing(r, u.papers/100, []string{"ls", at.papers}); err != nil {
		return err
	}
	if u.tree, err = mount.resident(); err != nil {
		return err
	}
	if err := u.refresh(r, s, at); err != nil {
		return err
	}
	if _, _, err := timeListing(r, u.papers+1, []string{"find", at.papers, "-name", "*.paper", "-prune"}); err != nil {
		return err
	}
	u.walked, err = mount.resident()
	return err
}

// refresh makes the mount fetch a tree that has changed.
func (u *memoryUse) refresh(r *rig, s *paperfsService, at *place) error {
	root, _, err := s.client.GetPaperIDFromUrl(r.ctx, "/")
	if err != nil {
		return err
	}
	if _, err := s.client.CreatePaper(r.ctx, remote.Node{ID: root}, "New", "new"); err != nil {
		return err
	}
	if err := at.mount[0].forgetPeak(); err != nil {
		return err
	}
	if _, err := r.run(r.command(r.paperfs, "refresh", at.papers)); err != nil {
		return err
	}
	u.refreshed, err = at.mount[0].status("VmHWM")
	return err
}
