package administer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/engine"
	"paperfs/remote/service/store"
)

// call has the flags that all commands share.
type call struct {
	data     string // directory of the service's data
	database string // address of the database that nodes share; "" means that everything is in data
	objects  string // address of the object store that nodes share
	json     bool   // print the result as JSON
	flags    *pflag.FlagSet
	told     bool // a secret is printed
}

// check refuses flags that do not name exactly one place for the data.
func (c *call) check() error {
	switch {
	case c.database == "" && c.objects != "":
		return &cli.UsageError{Err: errors.New("--objects is for nodes that share their records: give --database, too")}
	case c.database != "" && c.flags.Changed("data"):
		return &cli.UsageError{Err: errors.New("--data is for a service with a directory of its own, and --database for nodes that share their records: give one of them")}
	}
	return config.CheckShared(c.database, c.objects)
}

// show prints the result of an admin command: v as JSON, or else words, which may be nil for
// no output.
func (c *call) show(cmd *cobra.Command, v any, words func() error) error {
	switch {
	case c.json:
		return cli.ShowJSON(cmd, v)
	case words == nil:
		return nil
	}
	return words()
}

// printed returns words for show.
func printed(cmd *cobra.Command, words string) func() error {
	return func() error {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), words)
		return err
	}
}

// mostUnread is how long a change, for which others wait, waits for somebody to take its secret.
const mostUnread = 3 * time.Second

// tell is show of the secret of a change, within that change.
func (c *call) tell(cmd *cobra.Command, v any, words string) error {
	if out, is := cmd.OutOrStdout().(*os.File); is && closed(out) {
		return errors.New("the standard output is closed, and would have a secret in it, so nothing is changed")
	}
	shown := make(chan error, 1)
	go func() { shown <- c.show(cmd, v, printed(cmd, words)) }()
	select {
	case err := <-shown:
		c.told = err == nil
		return err
	case <-time.After(mostUnread):
		return errors.New("nobody reads the output, which has a secret in it, so nothing is changed")
	}
}

// worth adds to the failure of a change what its secret is worth. It is printed before the change is made: after that, a
// kill or a full disk would leave a change whose secret nobody has.
func (c *call) worth(err error) error {
	_, made := errors.AsType[*admin.MadeError](err)
	_, unsure := errors.AsType[*store.UnsureError](err)
	switch {
	case err == nil || !c.told || made:
		return err
	case unsure:
		return fmt.Errorf("%w. What is printed above is valid only if the change was made", err)
	}
	return fmt.Errorf("%w. Nothing is changed: do not use what is printed above", err)
}

// closed reports whether the program began without an output. Go then opens /dev/null in its place, and for reading, too: so
// it differs from what a shell's > /dev/null has opened.
func closed(out *os.File) bool {
	_, err := out.ReadAt(make([]byte, 1), 0)
	info, _ := out.Stat()
	null, _ := os.Stat(os.DevNull)
	return err == io.EOF && os.SameFile(info, null)
}

// cutShort says what to do after a signal, in place of the words of a context.
func cutShort(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: run the command again to continue")
	}
	return err
}

// administer runs f on the service's data, even beside a running service.
func administer(c *call, f func(*admin.Admin) error) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.database == "" {
		a, err := admin.Open(c.data)
		if err != nil {
			return err
		}
		return errors.Join(c.worth(f(a)), a.Close())
	}
	records, err := engine.OpenRecords(context.Background(), c.database)
	if err != nil {
		return err
	}
	a := admin.Apart(records, noContents{}, "")
	return errors.Join(c.worth(f(a)), a.Close())
}

// on returns the RunE of a command: f on the service's data, even beside a running service.
func (c *call) on(f func(cmd *cobra.Command, args []string, a *admin.Admin) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return administer(c, func(a *admin.Admin) error { return f(cmd, args, a) })
	}
}

// administerContent is administer for an f that also needs the content.
func administerContent(c *call, f func(*admin.Admin) error) error {
	if c.database == "" {
		return administer(c, f)
	}
	if err := c.check(); err != nil {
		return err
	}
	if c.objects == "" {
		return &cli.UsageError{Err: errors.New("this command needs the content: give --objects s3://HOST/BUCKET/PREFIX, as for the nodes")}
	}
	records, contents, err := engine.Open(context.Background(), c.database, c.objects)
	if err != nil {
		return err
	}
	a := admin.Apart(records, contents, "")
	return errors.Join(f(a), contents.Close(), a.Close())
}

// noContents is for commands that do not use the content.
type noContents struct{}

var errNoContents = errors.New("the place of the content was not given")

func (noContents) Create(context.Context) (store.Draft, error) { return nil, errNoContents }

func (noContents) Open(context.Context, string, int64, int64) (io.ReadSeekCloser, error) {
	return nil, errNoContents
}

// defaultTenant is the tenant that a first start creates.
const defaultTenant = "default"
