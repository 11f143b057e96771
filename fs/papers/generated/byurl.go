package generated

import (
	"context"
	"fmt"
	"strings"
	"syscall"

	"paperfs/fs/errno"
	"paperfs/fs/virtual"
	"paperfs/remote"
	"paperfs/remote/rules"
)

// byURL is a directory of by-url/: an address up to one of its slashes. Categories are
// directories, papers are symlinks; nothing is listed. Lookups ignore case, as the service
// does.
type byURL struct {
	*Nodes
	url string // begins and ends with /
}

// ByURL returns the node of by-url/.
func (g *Nodes) ByURL() *virtual.Dir { return g.rootDir(byURL{g, "/"}) }

func (b byURL) List(context.Context) ([]virtual.Entry, error) { return nil, nil }

func (b byURL) Find(ctx context.Context, name string) (virtual.Node, error) {
	if strings.HasPrefix(name, ".") || !rules.Segment(name) {
		return nil, nil
	}
	url := b.url + name + "/"
	if b.aboveRoot(url) {
		return b.rootDir(byURL{b.Nodes, url}), nil
	}
	n, err := b.find(ctx, url)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	if n.Kind == remote.CategoryNode {
		return b.Dir(n.ID, byURL{b.Nodes, url}), nil
	}
	return b.symlink(n.ID, strings.Count(b.url, "/")), nil
}

// aboveRoot reports whether the address is a proper prefix of the mounted root's address.
func (b byURL) aboveRoot(url string) bool {
	s := b.Catalogue.Peek()
	if s == nil {
		return false
	}
	root := s.Root().URL
	return len(root) > len(url) && rules.Same(root[:len(url)], url)
}

func (b byURL) find(ctx context.Context, url string) (remote.Node, error) {
	return virtual.Read(ctx, func(ctx context.Context) (remote.Node, error) { return b.Catalogue.FindURL(ctx, url) })
}

// Rename changes the last segment of an address.
func (b byURL) Rename(ctx context.Context, name string, to virtual.Source, newName string) error {
	target, ok := to.(byURL)
	if !ok || !rules.Same(target.url, b.url) {
		return errno.Refuse(syscall.EINVAL, "an address stays below its parent: move the paper with mv in papers/")
	}
	if err := checkPart(newName); err != nil {
		return err
	}
	n, err := b.Catalogue.FindURL(ctx, b.url+name+"/")
	if err != nil {
		return err
	}
	if s := b.Catalogue.Peek(); s != nil && !rules.Same(name, newName) {
		if _, taken := s.ByURL(b.url + newName + "/"); taken {
			return errno.Refuse(syscall.EEXIST, fmt.Sprintf("the address %q is taken", b.url+newName+"/"))
		}
	}
	return b.changeURL(ctx, n, newName)
}
