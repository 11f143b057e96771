package main

import (
	"fmt"
	"os"
	"os/signal"
	"time"

	"paperfs/fs/control"

	"github.com/spf13/cobra"
)

func newStatusCommand() *cobra.Command {
	var asJSON, watching, local bool
	cmd := &cobra.Command{
		Use:   "status MOUNTPOINT",
		Short: "Show the status of a mount",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := findMountPoint(args[0])
			if err != nil {
				return err
			}
			if watching {
				ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
				defer stop()
				return watch(ctx, m, cmd.OutOrStdout())
			}
			if local {
				return m.showLocal(cmd, asJSON)
			}
			s, text, err := m.status()
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), text)
			}
			return printStatus(cmd, s)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	cmd.Flags().BoolVar(&local, "local", false, "list the names that stay on this machine, and since when")
	cmd.Flags().BoolVar(&watching, "watch", false, "show the uploads until all are done")
	cmd.MarkFlagsMutuallyExclusive("watch", "json")
	cmd.MarkFlagsMutuallyExclusive("watch", "local")
	return cmd
}

func printStatus(cmd *cobra.Command, s control.Status) error {
	return table(cmd, func(line func(...any)) {
		line("mounted:", fmt.Sprintf("%s since %s (process %d)", s.Mountpoint, s.Since.Local().Format(time.DateTime), s.PID))
		line("service:", serviceLine(s.Service))
		if text := troubleLine(s); text != "" {
			line("trouble:", printable(text))
		}
		if s.Service.Refused != "" {
			line("refused:", s.Service.Refused)
		}
		line("tree:", treeLine(s.Tree))
		if s.Tree.LastError != "" {
			line("last refresh:", s.Tree.LastError)
		}
		line("requests:", requestsLine(s.Requests))
		for _, text := range underWayLines(s.Requests.UnderWay, time.Now()) {
			line("under way:", text)
		}
		line("media:", fmt.Sprintf("%d published, %d local, %d being written, %d pending, %d failed",
			s.Media.Published, s.Media.Local, s.Media.Writing, s.Media.Pending, s.Media.Failed))
		if text := queueLine(s.Media); text != "" {
			line("queue:", printable(text))
		}
		if s.Media.LastError != "" {
			line("media tree:", s.Media.LastError)
		}
		line("failures:", s.Failures)
	})
}

func serviceLine(s control.Service) string {
	text := s.URL
	if s.Data != "" {
		text += " (embedded, data in " + s.Data + ")"
	}
	if s.AwaySince != nil {
		text += ", away since " + s.AwaySince.Local().Format(time.DateTime)
		if s.AskedAgain != nil {
			text += fmt.Sprintf(", tried again by the first call after %.1f s", max(0, time.Until(*s.AskedAgain).Seconds()))
		}
	}
	return text
}

// troubleLine says why requests fail just now. It is empty where they do not.
func troubleLine(s control.Status) string {
	if s.Service.TroubleSince == nil {
		return ""
	}
	again := "the next call tries again"
	if s.Requests.Repeating > 0 {
		again = fmt.Sprintf("the next attempt is in %.1f s", s.Requests.NextIn)
	}
	return fmt.Sprintf("%s, since %s; %s", s.Service.Trouble, s.Service.TroubleSince.Local().Format(time.DateTime), again)
}

// queueLine says why what is queued waits: all of it, or the first of those that
// wait alone. It is empty where the queue gets on.
func queueLine(m control.MediaInfo) string {
	if m.Waits != "" {
		return "all of it waits: " + m.Waits
	}
	for _, u := range m.Uploads {
		if u.LastError != "" {
			return "media/" + u.Path + " waits: " + u.LastError
		}
	}
	return ""
}

func treeLine(t control.Tree) string {
	if t.Fetched == nil {
		return "not read yet"
	}
	text := fmt.Sprintf("%d categories and papers below %s, read %s", t.Nodes, t.RootURL, t.Fetched.Local().Format(time.DateTime))
	if t.Refreshing {
		text += ", being read again"
	}
	return text
}

func requestsLine(r control.Requests) string {
	var total uint64
	for _, n := range r.ByOperation {
		total += n
	}
	text := fmt.Sprintf("%d, %d failed", total, r.Failed)
	if r.HeldBack > 0 {
		text += fmt.Sprintf("; %d more calls failed without a request", r.HeldBack)
	}
	if r.Limit > 0 {
		text += fmt.Sprintf("; %d of %d allowed in the last minute", r.Used, r.Limit)
	}
	if r.Limit < r.FullLimit {
		text += fmt.Sprintf(" (%d before the service refused that many)", r.FullLimit)
	}
	if n := r.Waiting + r.WaitingBackground + r.Repeating; n > 0 {
		text += fmt.Sprintf(", %d waiting", n)
	}
	if r.NextIn > 0 {
		text += fmt.Sprintf(", next request in %.1f s", r.NextIn)
	}
	return text
}
