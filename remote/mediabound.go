package remote

// mediaBound is how large a media store may be: it is held in memory, and an
// answer that is small on the wire can list any number of files.
type mediaBound struct {
	entries int // files and directories, and what is said of odd ones
	memory  int // bytes that they take, about
}

var mostMedia = mediaBound{entries: 2_000_000, memory: 512 << 20}

// entrySize is what an entry takes beside its strings, in bytes.
const entrySize = 80

// check fails where a tree with so many bytes of strings is too large.
func (most mediaBound) check(tree *MediaTree, text int) error {
	entries := len(tree.Dirs) + len(tree.Files) + len(tree.Odd)
	switch {
	case entries > most.entries:
		return broken("the media store has more than %d files and directories, which is the limit", most.entries)
	case entries*entrySize+text > most.memory:
		return broken("the tree of the media store takes more than %d KiB of memory, which is the limit", most.memory>>10)
	}
	return nil
}
