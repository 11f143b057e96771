package inspect

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
)

// manageFlag has "paperfs open" open the publisher's page, and has the process inside the mount ask for its address.
const manageFlag = "manage"

// signInLink prints an address that signs a browser in.
func signInLink(cmd *cobra.Command, path string) error {
	m, _, err := findMounted(path)
	if err != nil {
		return err
	}
	defer cli.Shown(cmd.ErrOrStderr(), cli.Always("asking the service"))()
	link, err := m.ask("sign-in", "")
	if err != nil {
		return saysWhy(err, m.dir)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), cli.Printable(string(link)))
	return err
}

// openManage opens the publisher's page. The link has a secret, which no list of processes may show: the browser gets the
// name of a file that leads there.
func openManage(cmd *cobra.Command, args []string) error {
	path := "."
	if len(args) > 0 {
		path = args[0]
	}
	at, _, err := mountpoint.Find(path)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := serving.RunInside(at, []string{"url", "--" + manageFlag, "--", at.Dir}, &out, cmd.ErrOrStderr()); err != nil {
		return err
	}
	link := strings.TrimSpace(out.String())
	if desktop() {
		file, err := leadingTo(link)
		if err == nil && browse("file://"+file) == nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), link)
	return err
}

// leadingTo writes a file that nobody else reads, and which leads a browser to an address. The next one replaces it.
func leadingTo(address string) (file string, err error) {
	dir := filepath.Join(xdg.StateHome, "paperfs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	page := fmt.Sprintf("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<meta http-equiv=\"refresh\" content=\"0;url=%[1]s\">\n<a href=\"%[1]s\">paperfs</a>\n", html.EscapeString(address))
	file = filepath.Join(dir, "manage.html")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	return file, os.WriteFile(file, []byte(page), 0o600)
}
