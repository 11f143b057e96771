package sqlitestore

import (
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

func (t *tx) Child(parent int64, urlName string) (store.Node, error) {
	return t.FindNode(`SELECT `+records.NodeColumns+` FROM node WHERE parent = ? AND url_name = ?`, parent, urlName)
}

func (t *tx) SetNode(n store.Node) (int64, error) {
	n.Version = store.NewVersion()
	if err := t.Change(records.SetNode, records.SetNodeArgs(n)...); err != nil {
		return 0, err
	}
	return n.Version, t.InheritPublic(n.ID, n.Parent)
}

func (t *tx) DeleteNode(id int64) error {
	return t.Change(`DELETE FROM node WHERE id = ?`, id)
}
