package inode

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
)

// Described is the inode of a node that shows its description as extended attributes. The
// node embeds it instead of a bare inode, and is a Describer.
type Described struct{ gofs.Inode }

var (
	_ gofs.NodeGetxattrer  = (*Described)(nil)
	_ gofs.NodeListxattrer = (*Described)(nil)
)

const prefix = "user.paperfs."

// attributes returns the extended attributes of a description, by name.
func attributes(d Description) map[string]string {
	all := map[string]string{"kind": d.Kind, "state": string(d.State), "url": d.URL, "address": d.Address, "publication": d.Publication, "sha256": d.SHA256, "error": d.LastError}
	if d.ID != 0 {
		all["id"] = strconv.FormatInt(d.ID, 10)
	}
	for name, value := range all {
		if value == "" {
			delete(all, name)
		}
	}
	return all
}

// Getxattr follows go-fuse's convention: if dest is too small, it returns the required size
// and ERANGE.
func (n *Described) Getxattr(_ context.Context, attr string, dest []byte) (uint32, syscall.Errno) {
	name, ours := strings.CutPrefix(attr, prefix)
	if !ours {
		return 0, syscall.ENODATA
	}
	value, ok := attributes(n.description())[name]
	if !ok {
		return 0, syscall.ENODATA
	}
	return reply([]byte(value), dest)
}

// Listxattr lists the names of the attributes.
func (n *Described) Listxattr(_ context.Context, dest []byte) (uint32, syscall.Errno) {
	var names []string
	for name := range attributes(n.description()) {
		names = append(names, prefix+name+"\x00")
	}
	slices.Sort(names)
	return reply([]byte(strings.Join(names, "")), dest)
}

// description calls the node that embeds n.
func (n *Described) description() Description { return n.Operations().(Describer).Describe() }

func reply(value, dest []byte) (uint32, syscall.Errno) {
	if len(value) > len(dest) {
		return uint32(len(value)), syscall.ERANGE
	}
	return uint32(copy(dest, value)), 0
}
