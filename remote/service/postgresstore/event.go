package postgresstore

// Epoch implements store.EventReader. A crash, a failover and a restored base backup begin another run of PostgreSQL; a
// restored dump has another table.
func (t *tx) Epoch() (epoch string, err error) {
	err = t.Row(`SELECT coalesce((SELECT id::text FROM run), '') || '-' || CAST(CAST('event' AS regclass) AS oid)`, nil, &epoch)
	return epoch, err
}

// HasEvent implements store.EventReader.
func (t *tx) HasEvent(tenant int64, epoch string, number int64) (has bool, err error) {
	present, err := t.Epoch()
	if err == nil && epoch == present {
		err = t.Row(`SELECT EXISTS (SELECT 1 FROM event WHERE tenant = $1 AND number = $2)`, []any{tenant, number}, &has)
	}
	return has, err
}
