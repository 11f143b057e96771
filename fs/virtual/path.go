package virtual

import (
	"path"
	"runtime"
	"strings"
	"sync"
	"weak"

	gofs "github.com/hanwen/go-fuse/v2/fs"
)

// removed has the last paths of nodes that were removed, for as long as somebody has them open, or what is below them.
var removed sync.Map // of weak.Pointer[gofs.Inode]; string

// Path is a node's path from the mount's root, without a slash at either end;
// name, where given, is a child's. What was removed has the path that it had then.
func Path(n *gofs.Inode, name ...string) string {
	top := n
	for _, up := top.Parent(); up != nil; _, up = top.Parent() {
		top = up
	}
	was, _ := removed.Load(weak.Make(top))
	before, _ := was.(string)
	return strings.Trim(path.Join(append([]string{before, n.Path(nil)}, name...)...), "/")
}

// Removes is called before a name of a directory is removed, or replaced, with success.
func Removes(dir *gofs.Inode, name string) {
	n := dir.GetChild(name)
	if n == nil {
		return // nobody has looked it up
	}
	p := weak.Make(n)
	if _, again := removed.Swap(p, Path(n)); !again {
		runtime.AddCleanup(n, func(p weak.Pointer[gofs.Inode]) { removed.Delete(p) }, p)
	}
}
