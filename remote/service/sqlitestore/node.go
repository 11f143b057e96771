package sqlitestore

import (
	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

func (t *tx) Child(parent int64, urlName string) (store.Node, error) {
	return t.FindNode(`SELECT `+records.NodeColumns+` FROM node WHERE parent = ? AND url_name = ?`, parent, urlName)
}

func (t *tx) MoveNode(id, parent int64) error {
	return t.Change(`UPDATE node SET parent = ? WHERE id = ?`, parent, id)
}

func (t *tx) SetURLName(id int64, urlName string) error {
	return t.Change(`UPDATE node SET url_name = ? WHERE id = ?`, urlName, id)
}

func (t *tx) SetPeriod(id int64, p remote.Period) error {
	from, to := records.PeriodColumns(p)
	return t.Change(`UPDATE node SET period_from = ?, period_to = ? WHERE id = ?`, from, to, id)
}

func (t *tx) DeleteNode(id int64) error {
	return t.Change(`DELETE FROM node WHERE id = ?`, id)
}
