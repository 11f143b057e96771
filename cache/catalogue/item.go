package catalogue

import (
	"cmp"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// item is a node without its address, which is derived from its parent's.
type item struct {
	id, parent int64
	kind       remote.NodeKind
	name       string
	// ending is the last segment of the address, without slashes. If the address is not
	// the parent's plus one segment (the root, or a service that breaks its own rule),
	// ending is a slash and the full address.
	ending string
	period remote.Period
	seen   uint32 // Unix seconds: when a mount of this account first saw it
	versions
}

func (it item) firstSeen() time.Time { return time.Unix(int64(it.seen), 0) }

func (it item) ownAddress() (address string, ok bool) { return strings.CutPrefix(it.ending, "/") }

func (it item) node(address string) remote.Node {
	return remote.Node{ID: it.id, Parent: it.parent, Kind: it.kind, Name: it.name, URL: address, Period: it.period,
		Version: it.own, Edition: it.edition, Pages: it.pages}
}

// withoutAddress returns the item as a Node without its address.
func (it item) withoutAddress() remote.Node { return it.node("") }

func endingOf(address, parentAddress string) string {
	if rest, ok := strings.CutPrefix(address, parentAddress); ok && strings.HasSuffix(parentAddress, "/") {
		segment, closed := strings.CutSuffix(rest, "/")
		if closed && segment != "" && !strings.Contains(segment, "/") {
			return segment
		}
	}
	return "/" + address
}

func addressOf(it item, parentAddress string) string {
	if address, ok := it.ownAddress(); ok {
		return address
	}
	return parentAddress + it.ending + "/"
}

// withSlashes returns the path with a slash at both ends.
func withSlashes(path string) string {
	if path = strings.Trim(path, "/"); path == "" {
		return "/"
	}
	return "/" + path + "/"
}

// before is the service's order of siblings: it reports whether a comes before b.
func before(a, b item) bool {
	return cmp.Or(cmp.Compare(a.kind, b.kind), rules.CompareFolded(a.name, b.name), cmp.Compare(a.id, b.id)) < 0
}

func seconds(t time.Time) uint32 { return uint32(max(t.Unix(), 0)) }
