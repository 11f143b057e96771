package papers

import (
	"context"
	"errors"
	"strconv"

	"paperfs/cache/catalogue"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// byID is the directory by-id/: every id can be entered, none is listed, as
// autofs does it.
type byID struct{ *Tree }

// ByID is the node of by-id/.
func (t *Tree) ByID() *virtual.Dir { return t.top(byID{t}) }

func (b byID) List(context.Context) ([]virtual.Entry, error) { return nil, nil }

func (b byID) Find(ctx context.Context, name string) (virtual.Node, error) {
	id, err := strconv.ParseInt(name, 10, 32)
	if err != nil || id < 1 || decimal(id) != name {
		return nil, nil
	}
	_, err = virtual.Read(ctx, func(ctx context.Context) (remote.Node, error) { return b.Catalogue.FindID(ctx, id) })
	if err != nil {
		return nil, absent(err)
	}
	return b.symlink(id, 1), nil
}

// symlink leads to a node from a directory that many levels below the root.
func (t *Tree) symlink(id int64, levels int) *virtual.Symlink {
	return &virtual.Symlink{Env: t.Env, About: t.about(id), Target: func() string { return t.target(levels, id, "") }}
}

// absent is nil for a failure that says no more than that nothing is there.
func absent(err error) error {
	if errors.Is(err, catalogue.ErrNotFound) {
		return nil
	}
	return err
}

// top is a generated directory of the mount's root.
func (t *Tree) top(source virtual.Source) *virtual.Dir {
	return &virtual.Dir{Env: t.Env, About: virtual.About{Time: t.Started}, Source: source}
}
