package virtual

import (
	"path"
	"runtime"
	"strings"
	"sync"
	"weak"

	gofs "github.com/hanwen/go-fuse/v2/fs"
)

// removed has the last paths of removed nodes, for as long as a program has the node or anything below it open.
var removed sync.Map // of weak.Pointer[gofs.Inode]; string

// Path returns a node's path from the mount's root, without a slash at either end. name,
// if given, is a child's. A removed node keeps its last path.
func Path(n *gofs.Inode, name ...string) string {
	top := n
	for _, up := top.Parent(); up != nil; _, up = top.Parent() {
		top = up
	}
	was, _ := removed.Load(weak.Make(top))
	before, _ := was.(string)
	return strings.Trim(path.Join(append([]string{before, n.Path(nil)}, name...)...), "/")
}

// RememberPath records the path of a name that is about to be removed or replaced. Call it once the removal is sure to succeed.
func RememberPath(dir *gofs.Inode, name string) {
	n := dir.GetChild(name)
	if n == nil {
		return // no program has looked it up
	}
	p := weak.Make(n)
	if _, again := removed.Swap(p, Path(n)); !again {
		runtime.AddCleanup(n, func(p weak.Pointer[gofs.Inode]) { removed.Delete(p) }, p)
	}
}
