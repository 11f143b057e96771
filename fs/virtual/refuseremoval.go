package virtual

import (
	"strings"
	"syscall"

	"paperfs/fs/errno"
	"paperfs/remote/shellword"
)

// RefuseRemoval refuses a removal in the directory of a paper, if op and the path of that directory are of one. rm -r asks
// for each of its files, and that is one failure of the paper: all have the same words.
func RefuseRemoval(tell *errno.Teller, op, dir string) (refused syscall.Errno, is bool) {
	paper, _, in := strings.Cut(dir+"/", ".paper/")
	if !in || op != "unlink" && op != "rmdir" {
		return 0, false
	}
	paper += ".paper"
	return tell.Failed("rm", paper, 0, errno.Refuse(syscall.EPERM, "the files of a paper are generated, and cannot be removed; to delete the whole paper, where deleting is allowed, run: rmdir "+shellword.Quote(paper))), true
}
