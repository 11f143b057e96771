package main

import (
	"context"
	"fmt"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// fieldsWithin is how many custom fields a service with papers gets.
const fieldsWithin = 15

// paperDirs are the directories of a paper, first its own, and how many files each lists. A
// test compares them with paperfs.
var paperDirs = []struct {
	name  string
	files int
}{{"", 10}, {"settings", 12}, {"fields", fieldsWithin}, {"orders", 7}, {"pages", 0}, {"statistics", 0}}

// barePaper is a directory of the bare tree in the shape of a paper, or of a directory in one.
// As in paperfs, directories become inodes when they are listed or looked up, and files are
// only names.
type barePaper struct {
	fs.Inode
	shown string // a name in paperDirs
}

var (
	_ fs.NodeLookuper       = (*barePaper)(nil)
	_ fs.NodeOpendirHandler = (*barePaper)(nil)
)

// paperEntries are the entries of a paper and, by name, of its directories.
var paperEntries = func() map[string][]fuse.DirEntry {
	all := map[string][]fuse.DirEntry{}
	add := func(dir, name string, mode uint32) {
		all[dir] = append(all[dir], fuse.DirEntry{Name: name, Mode: mode, Ino: 1, Off: uint64(len(all[dir]) + 1)})
	}
	for _, dir := range paperDirs {
		for i := range dir.files {
			add(dir.name, fmt.Sprintf("a file of %s %d", dir.name, i), syscall.S_IFREG)
		}
		if dir.name != "" {
			add("", dir.name, syscall.S_IFDIR)
		}
	}
	return all
}()

func (p *barePaper) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	for _, dir := range paperDirs[1:] {
		if dir.name == name {
			out.Mode = 0o755
			return p.NewInode(ctx, &barePaper{shown: name}, fs.StableAttr{Mode: syscall.S_IFDIR}), 0
		}
	}
	return nil, syscall.ENOENT
}

func (p *barePaper) OpendirHandle(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return &bareListing{paper: p, entries: paperEntries[p.shown]}, fuse.FOPEN_CACHE_DIR | fuse.FOPEN_KEEP_CACHE, 0
}

type bareListing struct {
	paper   *barePaper
	entries []fuse.DirEntry
	next    int
}

var (
	_ fs.FileReaddirenter = (*bareListing)(nil)
	_ fs.FileSeekdirer    = (*bareListing)(nil)
	_ fs.FileLookuper     = (*bareListing)(nil)
)

func (l *bareListing) Readdirent(context.Context) (*fuse.DirEntry, syscall.Errno) {
	if l.next == len(l.entries) {
		return nil, 0
	}
	l.next++
	return &l.entries[l.next-1], 0
}

func (l *bareListing) Seekdir(_ context.Context, off uint64) syscall.Errno {
	l.next = int(off)
	return 0
}

// Lookup refuses files; go-fuse then lists only the name.
func (l *bareListing) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if l.entries[l.next-1].Mode != syscall.S_IFDIR {
		return nil, syscall.ENOENT
	}
	return l.paper.Lookup(ctx, name, out)
}
