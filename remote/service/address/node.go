package address

import (
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Node returns the address of a node within its tenant.
func Node(tx store.Reader, tenant store.Tenant, id int64) (string, error) {
	up, err := tx.Ancestors(id)
	if err != nil {
		return "", err
	}
	return Path(tenant, up), nil
}

// Path returns the address of a node within its tenant; up is the node and its ancestors.
func Path(tenant store.Tenant, up []store.Node) string {
	var b strings.Builder
	b.WriteString(tenant.RootURL)
	for i := len(up) - 2; i >= 0; i-- { // the last one is the root
		b.WriteString(up[i].URLName)
		b.WriteByte('/')
	}
	return b.String()
}

// FindNode finds the node at an address, which begins and ends with a slash, ignoring case.
// store.ErrNotFound: there is none.
func FindNode(tx store.Reader, tenant store.Tenant, address string) (store.Node, error) {
	rest, ok := rules.CutPrefix(address, tenant.RootURL)
	if !ok {
		return store.Node{}, store.ErrNotFound
	}
	var names []string
	for rest != "" {
		var segment string
		segment, rest, _ = strings.Cut(rest, "/")
		if !rules.Segment(segment) {
			return store.Node{}, store.ErrNotFound
		}
		names = append(names, segment)
	}
	return tx.Descend(tenant.ID, tenant.Root, names)
}

// NodeAt finds the tenant of a Host header, and its node at an address as FindNode does.
func NodeAt(tx store.Reader, host, address string) (tenant store.Tenant, node store.Node, err error) {
	if tenant, err = tx.TenantByHost(Host(host)); err == nil {
		node, err = FindNode(tx, tenant, address)
	}
	return tenant, node, err
}
