package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/inode"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

func NewURL() *cobra.Command {
	var preview int
	var manage bool
	cmd := &cobra.Command{
		Use:   "url PATH",
		Short: "Print the public address of a path",
		Long: `PATH is a paper, a category, a page (a directory in pages/, or a file in it) or a file in media/.
The address of a page leads to that page of its paper. Only --preview sends a request, and a new file
in media/ whose address this mount does not know yet.

Anybody can open the address of a paper within its publication period, unless its setting public is
false. A paper without a period is public at once.`,
		Example: `paperfs url ~/ipaper/papers/Archive/Spring.paper
paperfs url ~/ipaper/papers/Archive/Spring.paper/pages/003
paperfs url --preview 60 ~/ipaper/papers/Archive/Spring.paper`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("preview") && preview == 0 {
				return &cli.UsageError{Err: errors.New("--preview 0: give the number of minutes that the link lasts")}
			}
			if manage {
				return signInLink(cmd, args[0])
			}
			address, err := addressOf(args[0], preview)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), cli.Printable(address))
			return err
		},
	}
	previewFlag(cmd, &preview)
	cmd.Flags().BoolVar(&manage, manageFlag, false, "")
	_ = cmd.Flags().MarkHidden(manageFlag) // the flag is there; "paperfs open" gives it to this command
	return cmd
}

func previewFlag(cmd *cobra.Command, minutes *int) {
	cmd.Flags().IntVar(minutes, "preview", 0, "make a link that opens even an unpublished paper, for `MINUTES`")
}

// addressOf returns the public address of a path in a mount. With minutes for a preview, it
// returns a link that also opens an unpublished paper for that long.
func addressOf(path string, preview int) (string, error) {
	d, err := descriptionOf(path)
	if err != nil {
		return "", err
	}
	if preview == 0 && d.Address == "" && d.State == inode.Published && d.Kind == "file" {
		if d, err = afterRefresh(path); err != nil {
			return "", err
		}
	}
	switch {
	case preview != 0:
		return previewLink(path, d, preview)
	case d.Address != "":
		return d.Address, nil
	case d.State != inode.Published:
		return "", fmt.Errorf("%s has no address: it is %s, and not on the service", path, d.State)
	case d.Kind == "file":
		return "", fmt.Errorf("the service tells no address of %s", path)
	}
	return "", fmt.Errorf("%s has no address: it is not a category, paper, page or file in media/", path)
}

// afterRefresh describes a new file in media/ again. The answer to its upload has no address, but
// the tree has.
func afterRefresh(path string) (d inode.Description, err error) {
	m, inside, err := findMounted(path)
	if err != nil {
		return d, err
	}
	if _, err := m.ask("refresh", filepath.Dir(inside)); err != nil {
		return d, saysWhy(err, filepath.Dir(path))
	}
	if _, err := os.ReadDir(filepath.Dir(path)); err != nil {
		return d, err
	}
	return descriptionOf(path)
}

func descriptionOf(path string) (d inode.Description, err error) {
	text, err := stat(path)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	return d, err
}

// previewLink creates a preview link for the paper that contains a path.
func previewLink(path string, d inode.Description, minutes int) (string, error) {
	m, inside, err := findMounted(path)
	if err != nil {
		return "", err
	}
	paper := m.paperAt(inside)
	if paper == "" {
		return "", fmt.Errorf("%s is not in a paper: only papers have preview links", path)
	}
	file := filepath.Join(m.dir, paper, "preview")
	if err := os.WriteFile(file, []byte(strconv.Itoa(minutes)+"\n"), 0); errors.Is(err, unix.EROFS) {
		return "", fmt.Errorf("the mount at %s is for reading, and the service keeps each preview link that it makes: run this command in a mount without --read-only, of an account that may write", m.dir)
	} else if err != nil {
		return "", saysWhy(err, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	links := strings.Split(strings.TrimSpace(string(text)), "\n")
	link, _, _ := strings.Cut(links[len(links)-1], " ")
	if link == "" {
		return "", errors.New("the service made no preview link")
	}
	if _, page, ok := strings.Cut(d.Address, "?"); ok {
		link += "&" + page
	}
	return link, nil
}
