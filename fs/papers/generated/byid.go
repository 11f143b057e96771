package generated

import (
	"context"
	"errors"
	"strconv"

	"paperfs/cache/catalogue"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// byID is the directory by-id/: every id can be entered but none is listed, as with
// autofs.
type byID struct{ *Nodes }

// ByID returns the node of by-id/.
func (g *Nodes) ByID() *virtual.Dir { return g.rootDir(byID{g}) }

func (b byID) List(context.Context) ([]virtual.Entry, error) { return nil, nil }

func (b byID) Find(ctx context.Context, name string) (virtual.Node, error) {
	id, err := strconv.ParseInt(name, 10, 32)
	if err != nil || id < 1 || decimal(id) != name {
		return nil, nil
	}
	_, err = virtual.Read(ctx, func(ctx context.Context) (remote.Node, error) { return b.Catalogue.FindID(ctx, id) })
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	return b.symlink(id, 1), nil
}

// symlink links to a node from a directory that is levels below the root.
func (g *Nodes) symlink(id int64, levels int) *virtual.Symlink {
	return &virtual.Symlink{Env: g.Env, About: g.About(id), Target: func() string { return g.target(levels, id, "") }}
}

// ignoreNotFound returns nil for ErrNotFound, else err.
func ignoreNotFound(err error) error {
	if errors.Is(err, catalogue.ErrNotFound) {
		return nil
	}
	return err
}

// rootDir returns a generated directory in the mount's root.
func (g *Nodes) rootDir(source virtual.Source) *virtual.Dir {
	return &virtual.Dir{Env: g.Env, About: virtual.About{Time: g.Started}, Source: source}
}
