package postgresstore

// Epoch implements store.EventReader. A crash, a failover and a restored base backup begin another run of PostgreSQL; a
// restored dump has another table.
func (t *tx) Epoch() (epoch string, err error) {
	err = t.Row(`SELECT coalesce((SELECT id::text FROM run), '') || '-' || CAST(CAST('event' AS regclass) AS oid)`, nil, &epoch)
	return epoch, err
}
