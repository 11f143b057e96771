package inspect

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/inode"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

func NewStat() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stat PATH",
		Short: "Show the id, address, state and last error of a path",
		Example: `paperfs stat ~/ipaper/papers/Archive/Spring.paper
paperfs stat --json ~/ipaper/media/film.mp4`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := judged(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(cmd.OutOrStdout(), text)
			}
			return printDescription(cmd, text)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON; fields: paperfs help scripts")
	return cmd
}

func stat(path string) ([]byte, error) {
	m, inside, err := findMounted(path)
	if err != nil {
		return nil, err
	}
	// The mount describes only what the kernel has looked up, so this opens the path and
	// keeps it open during the question.
	fd, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer unix.Close(fd)
	return m.ask("stat", inside)
}

// judged is stat after the mount has asked the service for the setting that decides, with the period, who can read a paper.
func judged(path string) ([]byte, error) {
	if m, inside, err := findMounted(path); err == nil && m.paperAt(inside) != "" {
		_, _ = os.ReadFile(filepath.Join(m.dir, m.paperAt(inside), "settings", "public")) // not every service has it
	}
	return stat(path)
}

func printDescription(cmd *cobra.Command, text []byte) error {
	var d inode.Description
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	return cli.Table(cmd, func(line func(...any)) {
		line("path:", "/"+d.Path)
		line("kind:", d.Kind)
		line("state:", d.State)
		if d.ID != 0 {
			line("id:", d.ID)
		}
		for _, row := range [][2]string{{"url:", d.URL}, {"address:", d.Address}, {"publication:", publication(d)}, {"sha256:", d.SHA256}, {"last error:", d.LastError}} {
			if row[1] != "" {
				line(row[0], row[1])
			}
		}
	})
}

// publication says who can read a paper, and why. It is empty outside of papers.
func publication(d inode.Description) string {
	from, to, _ := strings.Cut(d.Period, "/")
	switch d.Publication {
	case "":
		return ""
	case "public":
		if d.Period == "" {
			return publicAtOnce
		}
		if to == "" {
			return "public since " + from + "; everybody who has the address can read it"
		}
		return "public until " + to + "; everybody who has the address can read it"
	case "not yet":
		return "not yet public; it will be from " + from
	case "not public":
		return "not public, because its setting public, or that of a category above it, is false; nobody can read it without a preview link. To show it, run: echo true > settings/public"
	case "over":
		return "over since " + to + "; nobody can read it without a preview link"
	}
	return d.Publication + ": its period ends before it begins"
}

// publicAtOnce describes a paper without a period.
const publicAtOnce = "public: a paper without a period is public at once; write FROM/TO to its file publication to change that"
