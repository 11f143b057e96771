package inspect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"

	"github.com/cli/browser"
	"github.com/spf13/cobra"
)

func NewOpen() *cobra.Command {
	var preview int
	var manage bool
	cmd := &cobra.Command{
		Use:   "open PATH | --manage [DIR]",
		Short: "Open the public address of a path in a browser",
		Long: `PATH is a paper, a category, a page or a file in media/. Without a desktop or a browser, the
command prints the address. "paperfs url" always prints it.

--manage opens the page on which the service's papers are managed, signed in with the account of the mount that has
DIR (default: the directory you are in): see paperfs help manage. What it prints without a desktop signs one browser in,
within two minutes.`,
		Example: `paperfs open ~/ipaper/papers/Archive/Spring.paper
paperfs open --preview 60 ~/ipaper/papers/Archive/Spring.paper
paperfs open --manage ~/ipaper`,
		Args: func(cmd *cobra.Command, args []string) error {
			if manage {
				return cobra.MaximumNArgs(1)(cmd, args)
			}
			return cobra.ExactArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case manage && cmd.Flags().Changed("preview"):
				return &cli.UsageError{Err: errors.New("--manage and --preview open different pages: give one of them")}
			case manage:
				return openManage(cmd, args)
			}
			address, err := askForAddress(cmd, args[0], preview)
			if err != nil {
				return err
			}
			if !desktop() || browse(address) != nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), address)
			}
			return err
		},
	}
	previewFlag(cmd, &preview)
	cmd.Flags().BoolVar(&manage, manageFlag, false, "open the page on which papers are managed, signed in")
	return cmd
}

func desktop() bool { return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" }

// askForAddress runs "paperfs url" in a process that can be abandoned, because it accesses
// the mount. The browser is started by this process.
func askForAddress(cmd *cobra.Command, path string, preview int) (string, error) {
	at, _, err := mountpoint.Find(path)
	if err != nil {
		return "", err
	}
	var address bytes.Buffer
	args := []string{"url", "--", path}
	if cmd.Flags().Changed("preview") {
		args = []string{"url", "--preview", strconv.Itoa(preview), "--", path}
	}
	err = serving.RunInside(at, args, &address, cmd.ErrOrStderr())
	return strings.TrimSpace(address.String()), err
}

// browse opens an address in the user's browser, and discards the browser's output.
func browse(address string) error {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	return browser.OpenURL(address)
}
