package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/spf13/cobra"
)

// treePeer and loopbackPeer are the two extremes of a go-fuse mount: a tree in memory with all
// answers, and one that reads the disk for each.
var (
	treePeer = peer{name: "bare-tree", missing: hasFUSE, open: func(r *rig, o setup) (*place, error) {
		return openTree(r, o.media)
	}}
	loopbackPeer = peer{name: "loopback", missing: hasFUSE, open: func(r *rig, o setup) (*place, error) {
		return openSelf(r, "loopback", o.served)
	}}
)

func hasFUSE(*rig) string { return "" }

func openTree(r *rig, files int) (*place, error) {
	at, err := openSelf(r, "tree", fmt.Sprint(files))
	if err != nil {
		return nil, err
	}
	at.dir, at.papers = filepath.Join(at.mountpoint, "media"), filepath.Join(at.mountpoint, "papers")
	return at, nil
}

func openSelf(r *rig, what, argument string) (*place, error) {
	dir, err := r.makeDir(what)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	mount, err := r.mount(dir, r.command(self, what, argument, dir))
	return &place{mountpoint: dir, dir: dir, mount: []*process{mount}}, err
}

func newTreeCommand() *cobra.Command {
	return &cobra.Command{Use: "tree COUNT DIR", Hidden: true, Args: cobra.ExactArgs(2), RunE: func(_ *cobra.Command, args []string) error {
		var count int
		if _, err := fmt.Sscan(args[0], &count); err != nil {
			return err
		}
		return serveFUSE(&bareTree{count: count}, args[1])
	}}
}

func newLoopbackCommand() *cobra.Command {
	return &cobra.Command{Use: "loopback FROM DIR", Hidden: true, Args: cobra.ExactArgs(2), RunE: func(_ *cobra.Command, args []string) error {
		root, err := fs.NewLoopbackRoot(args[0])
		if err != nil {
			return err
		}
		return serveFUSE(root, args[1])
	}}
}

func serveFUSE(root fs.InodeEmbedder, dir string) error {
	o := &fs.Options{MountOptions: fuse.MountOptions{FsName: "paperfs-bench", Name: "paperfs-bench", DisableXAttrs: true}}
	long := listingTTL
	o.EntryTimeout, o.AttrTimeout = &long, &long
	server, err := fs.Mount(dir, root, o)
	if err != nil {
		return err
	}
	server.Wait()
	return nil
}

// bareTree has empty files, a hundred in each directory, with the names of makeFiles, and as
// many directories in the shape of papers.
type bareTree struct {
	fs.Inode
	count int
}

var _ fs.NodeOnAdder = (*bareTree)(nil)

func (t *bareTree) OnAdd(ctx context.Context) {
	t.fill(ctx, "media", "dir-%04d", "file-%06d.bin", syscall.S_IFREG, func() fs.InodeEmbedder { return &fs.MemRegularFile{} })
	t.fill(ctx, "papers", "Category %04d", "Paper %06d.paper", syscall.S_IFDIR, func() fs.InodeEmbedder { return &barePaper{} })
}

func (t *bareTree) fill(ctx context.Context, name, dirName, entryName string, mode uint32, entry func() fs.InodeEmbedder) {
	add := func(parent *fs.Inode, name string, node fs.InodeEmbedder, mode uint32) *fs.Inode {
		child := t.NewPersistentInode(ctx, node, fs.StableAttr{Mode: mode})
		parent.AddChild(name, child, false)
		return child
	}
	top := add(&t.Inode, name, &fs.Inode{}, syscall.S_IFDIR)
	var dir *fs.Inode
	for i := range t.count {
		if i%100 == 0 {
			dir = add(top, fmt.Sprintf(dirName, i/100), &fs.Inode{}, syscall.S_IFDIR)
		}
		add(dir, fmt.Sprintf(entryName, i), entry(), mode)
	}
}
