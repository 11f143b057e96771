package papers

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/shellword"
)

// copyOf returns the paper that cp -r makes a new one of; 0 for another program, which makes an empty one. The service copies
// the paper, at the mkdir with which cp begins, and cp then finds nothing to copy in it (see copying). What is no paper of
// this mount, or not known to be one, is refused: cp creates each file anew, and a paper has its files from the start.
func (c *category) copyOf(ctx context.Context, name string) (int64, error) {
	process := caller.Process(caller.Thread(ctx))
	program := caller.Comm(process)
	if program != "cp" && program != "mv" {
		return 0, nil
	}
	at := virtual.Path(&c.Inode, name)
	words := "%s cannot copy this to a paper, whose files are generated. To make a paper with the same PDF, run: cp FROM.paper/source.pdf %s"
	if offers, _ := c.Offers(); program == "cp" && offers.Copies {
		arguments, dir := caller.Arguments(process)
		if from := c.paperOf(ctx, sourcesOf(arguments, dir, at)); from != 0 {
			return from, nil
		}
		words = "%s copies papers of this mount, as in: cp -r FROM.paper TO.paper. This is something else, or its place is not clear. To make a paper of a PDF, run: cp FROM.pdf %s"
	}
	return 0, errno.Refuse(syscall.EOPNOTSUPP, fmt.Sprintf(words, program, shellword.Quote(strings.TrimSuffix(at, names.Suffix)+names.PDFEndings[0])))
}

// copying is a paper that a process has had copied, and not listed since.
type copying struct {
	process uint32
	paper   int64
}

// listedWithin is the time in which cp lists what it copies after its mkdir. Later, another process may have the number of one
// that was killed between the two, and has to see the paper as it is.
const listedWithin = time.Minute

// isCopied reports whether the calling process has had the paper copied, and lists it now to copy what is in it. That is done.
func (p *paperDir) isCopied(ctx context.Context) bool {
	at, is := p.copying.LoadAndDelete(copying{caller.Process(caller.Thread(ctx)), p.node})
	return is && time.Since(at.(time.Time)) < listedWithin
}

// sourcesOf returns what a cp may copy to a path of this mount, as paths from the mount's root; those elsewhere stay absolute. There
// are two if only cp knows whether its last operand was a directory before.
func sourcesOf(arguments []string, dir, to string) (from []string) {
	if slices.ContainsFunc(arguments, valued().MatchString) {
		return nil
	}
	end := slices.Index(append(arguments, "--"), "--") // of the options
	operands := append(slices.DeleteFunc(slices.Clone(arguments[:end]), func(a string) bool { return len(a) > 1 && a[0] == '-' }), arguments[min(end+1, len(arguments)):]...)
	absolute := func(operand string) string {
		if path.IsAbs(operand) {
			return path.Clean(operand)
		}
		return path.Join(dir, operand)
	}
	last := len(operands) - 1
	for _, operand := range operands[:max(0, last)] {
		into := absolute(operands[last])
		for n, target := range []string{path.Join(into, path.Base(operand)), into} {
			for up := to; up != "." && (n == 0 || last == 1); up = path.Dir(up) {
				if root, is := strings.CutSuffix(target, "/"+up); is {
					inside, _ := strings.CutPrefix(absolute(operand)+to[len(up):], root+"/")
					from = append(from, inside)
					break
				}
			}
		}
	}
	return from
}

// valued are options of cp with which an operand is something else: a value may be the next argument, or names of parents are kept.
var valued = rules.Pattern(`^(-[^-]*[tS]|--(t|su|pa))`)

// paperOf returns the one paper that the paths are of; 0 if there is another number of them, or one is not in this mount.
func (t *Tree) paperOf(ctx context.Context, paths []string) (only int64) {
	for _, at := range paths {
		inside, is := strings.CutPrefix(at, "papers/")
		id, rest, err := t.NodeAt(ctx, inside, false)
		n, _ := t.Node(id)
		found := err == nil && len(rest) == 0 && n.Kind == remote.PaperNode && strings.HasSuffix(at, names.Suffix)
		if !is || found && only != 0 && only != id {
			return 0
		}
		if found {
			only = id
		}
	}
	return only
}
