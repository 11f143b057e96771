package inspect

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"

	"github.com/cli/browser"
	"github.com/spf13/cobra"
)

func NewOpen() *cobra.Command {
	var preview int
	cmd := &cobra.Command{
		Use:   "open PATH",
		Short: "Open the public address of a path in a browser",
		Long: `PATH is a paper, a category, a page or a file in media/. Without a desktop or a browser, the
command prints the address. "paperfs url" always prints it.`,
		Example: `paperfs open ~/ipaper/papers/Archive/Spring.paper
paperfs open --preview 60 ~/ipaper/papers/Archive/Spring.paper`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			address, err := askForAddress(cmd, args[0], preview)
			if err != nil {
				return err
			}
			desktop := os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
			if !desktop || browse(address) != nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), address)
			}
			return err
		},
	}
	previewFlag(cmd, &preview)
	return cmd
}

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
