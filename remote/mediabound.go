package remote

// mediaBound is the bound of a media store, which the client holds in memory: an answer
// that is small on the wire can list any number of files.
type mediaBound struct {
	entries int // files, directories, and messages about odd ones
	memory  int // approximate bytes of them
}

var mostMedia = mediaBound{entries: 2_000_000, memory: 512 << 20}

// entrySize is how many bytes an entry takes besides its strings.
const entrySize = 80

// check fails if a tree with so many bytes of strings is too large.
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
