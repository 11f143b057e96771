package administer

import (
	"context"
	"errors"
	"fmt"
	"io"

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
		return errors.Join(f(a), a.Close())
	}
	records, err := engine.OpenRecords(context.Background(), c.database)
	if err != nil {
		return err
	}
	a := admin.Apart(records, noContents{}, "")
	return errors.Join(f(a), a.Close())
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
