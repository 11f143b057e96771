package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/remote/rules"
	"paperfs/remote/service"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/engine"

	"github.com/spf13/pflag"
)

// checkPlace refuses flags that do not name exactly one place for the data: a data
// directory, or the database and object store that several nodes share.
func checkPlace(c *config.Serve, flags *pflag.FlagSet) error {
	wrong := func(form string, args ...any) error { return &cli.UsageError{Err: fmt.Errorf(form, args...)} }
	if c.Database == "" {
		for _, name := range []string{"objects", "scratch", "node"} {
			if flags.Changed(name) {
				return wrong("--%s is for a node that shares its records with others: give --database, too, or --data alone", name)
			}
		}
		return nil
	}
	for _, name := range []string{"data", "trash-days"} {
		if flags.Changed(name) {
			return wrong("--%s is for a service with a directory of its own, and --database for nodes that share their records: give one of them", name)
		}
	}
	if err := c.CheckShared(); err != nil {
		return err
	}
	if c.Scratch == "" {
		return wrong("--database needs --scratch DIR, a directory for the temporary data of this node alone, such as answers under way")
	}
	if c.Node == "" {
		name, err := os.Hostname()
		if err != nil {
			return wrong("this machine has no name: give one to the node with --node NAME")
		}
		c.Node = name
	}
	if !nodeName().MatchString(c.Node) {
		return wrong("--node %q: give 1 to 64 of the characters A-Z a-z 0-9 . _ -", c.Node)
	}
	return nil
}

// nodeName matches names that can be part of a request number.
var nodeName = rules.Pattern(`^[A-Za-z0-9._-]{1,64}$`)

// placeWords says in words where the data is.
func placeWords(c *config.Serve) string {
	if c.Database == "" {
		return c.Data
	}
	return c.Database + " and " + c.Objects
}

// open opens the service.
func open(c *config.Serve, o service.Options) (*service.Service, error) {
	if c.Database == "" {
		return service.Open(o)
	}
	o.Data = c.Scratch
	if _, err := os.Lstat(filepath.Join(c.Scratch, datadir.DatabaseFile)); err == nil {
		return nil, &cli.UsageError{Err: fmt.Errorf("--scratch %s: this is the data directory of a service; give a directory of this node alone", c.Scratch)}
	}
	records, contents, err := engine.Open(context.Background(), c.Database, c.Objects)
	if err != nil {
		return nil, err
	}
	o.Apart = &service.Apart{Store: records, Contents: contents, Node: c.Node}
	s, err := service.Open(o)
	if err != nil {
		return nil, errors.Join(err, contents.Close(), records.Close())
	}
	return s, nil
}
