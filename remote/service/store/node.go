package store

import (
	"fmt"

	"paperfs/remote"
)

// Node is a category or a paper. Its address is not stored: it is the parent's address followed
// by the url name and a slash.
type Node struct {
	ID      int64
	Tenant  int64
	Parent  int64 // 0 for the root of a tenant
	Kind    remote.NodeKind
	Name    string
	URLName string // "" for the root
	Period  remote.Period
	// NotPublic: the setting public of the node, or what it inherits, is false. Walk may leave it out.
	NotPublic bool
	// Version differs after each change of the node. Walk may leave it out.
	Version int64
	Edition int64 // of a paper; only WalkVersions fills it in
	Pages   int   // of a paper: how many it has; WalkVersions and WalkFilled fill it in
}

// NodeReader finds nodes.
type NodeReader interface {
	Node(tenant, id int64) (Node, error)
	// Child finds a child by its url name, ignoring case.
	Child(parent int64, urlName string) (Node, error)
	// Descend follows url names, ignoring case, from a node of a tenant downwards.
	Descend(tenant, from int64, urlNames []string) (Node, error)
	// Lineage visits nodes of a tenant and all their ancestors, each once, in any order.
	// ErrNotFound: one of the nodes does not exist.
	Lineage(tenant int64, ids []int64, visit func(Node) error) error
	// Ancestors returns the node, its parent, and so on up to the root.
	Ancestors(id int64) ([]Node, error)
	HasChildren(id int64) (bool, error)
	// Height returns how many categories lie below each other from a node downwards: 0 for
	// a paper, 1 for a category without categories. It counts to most.
	Height(id int64, most int) (int, error)
	// Walk visits the node and its descendants. Parents come first; among the children of one
	// parent, categories come before papers, each sorted by folded name, then by id. The node
	// itself has depth 0. The error Leave from visit skips a subtree; any other error ends the
	// walk and is returned.
	Walk(id int64, visit func(n Node, depth int) error) error
	// WalkFilled is Walk for the first most nodes, with the pages of the papers below the node.
	// Papers that are not visited cost nothing.
	WalkFilled(id int64, most int, visit func(n Node, depth int) error) error
	// WalkVersions is Walk with the versions of the nodes, and the editions and pages of the papers.
	WalkVersions(id int64, visit func(n Node, depth int) error) error
	// TreeVersion returns a number that differs after any change of a tenant's nodes. It is
	// random, so that it also differs after an older state was restored.
	TreeVersion(tenant int64) (int64, error)
	// EditionVersion is to the editions of a tenant's papers what TreeVersion is to nodes.
	EditionVersion(tenant int64) (int64, error)
}

// Leave is an error that a visit callback returns to skip the rest of a subtree: that of the
// ancestor at this depth, or of the visited node itself.
type Leave int

func (l Leave) Error() string { return fmt.Sprintf("leave the node at depth %d", int(l)) }

// NodeWriter changes nodes. ErrTaken: another child of the parent has the url name, ignoring
// case.
type NodeWriter interface {
	AddNode(n Node) (int64, error) // n.ID and n.Version are ignored
	// SetNode replaces the parent, the names and the period of node n.ID, and returns its new version.
	SetNode(n Node) (version int64, err error)
	// DeleteNode removes a node without children and everything attached to it.
	DeleteNode(id int64) error
}

// PublicSetting is the setting that hides a node, and what inherits it, from readers.
const PublicSetting = "public"

// SettingReader reads setting values.
type SettingReader interface {
	// InheritedSetting returns the node's own value, else that of its nearest
	// ancestor that has one.
	InheritedSetting(node int64, name string) (value string, found bool, err error)
	// InheritedSettings returns all inherited and own values by name.
	InheritedSettings(node int64) (map[string]string, error)
	// OwnSettings returns the node's own values by name.
	OwnSettings(node int64) (map[string]string, error)
}

// SettingWriter changes setting values.
type SettingWriter interface {
	// SetSetting sets a node's own value. That of PublicSetting decides Node.NotPublic.
	SetSetting(node int64, name, value string) error
	// ClearSetting takes a node's own value away, so that it inherits one again.
	ClearSetting(node int64, name string) error
}
