package store

import (
	"fmt"

	"paperfs/remote"
)

// Node is a category or a paper. Its address is not stored: it is its
// parent's, its url name and a slash.
type Node struct {
	ID      int64
	Tenant  int64
	Parent  int64 // 0 for the root of a tenant
	Kind    remote.NodeKind
	Name    string
	URLName string // "" for the root
	Period  remote.Period
}

// NodeReader finds nodes.
type NodeReader interface {
	Node(tenant, id int64) (Node, error)
	// Child finds a child by its url name, in any case.
	Child(parent int64, urlName string) (Node, error)
	// Descend follows url names, in any case, from a node of a tenant downwards.
	Descend(tenant, from int64, urlNames []string) (Node, error)
	// Lineage visits nodes of a tenant and all above them, each once, in any order.
	// ErrNotFound: one of them is not there.
	Lineage(tenant int64, ids []int64, visit func(Node) error) error
	// Ancestors returns the node, its parent, and so on up to the root.
	Ancestors(id int64) ([]Node, error)
	HasChildren(id int64) (bool, error)
	// Walk visits the node and all below it: parents first; the children of
	// one parent categories first, each kind by folded name, then by id. Depth
	// of the node itself is 0. Visit steers by the error Leave; any other ends
	// the walk and is returned.
	Walk(id int64, visit func(n Node, depth int) error) error
	// TreeVersion is another number after any change of a tenant's nodes: a
	// random one, also after an older state was restored.
	TreeVersion(tenant int64) (int64, error)
}

// Leave is returned by what visits a tree: of the node at that depth above the
// one visited, or of this one, nothing more is visited.
type Leave int

func (l Leave) Error() string { return fmt.Sprintf("leave the node at depth %d", int(l)) }

// NodeWriter changes nodes. ErrTaken: another child of the parent has the url
// name, in any case.
type NodeWriter interface {
	AddNode(n Node) (int64, error) // n.ID is ignored
	MoveNode(id, parent int64) error
	SetURLName(id int64, urlName string) error
	SetPeriod(id int64, p remote.Period) error
	// DeleteNode removes a node without children and all that hangs on it.
	DeleteNode(id int64) error
}

// SettingReader reads setting values.
type SettingReader interface {
	// InheritedSetting returns the node's own value, else that of its nearest
	// ancestor that has one.
	InheritedSetting(node int64, name string) (value string, found bool, err error)
	// InheritedSettings returns all of these by name.
	InheritedSettings(node int64) (map[string]string, error)
}

// SettingWriter changes setting values.
type SettingWriter interface {
	SetSetting(node int64, name, value string) error
}
