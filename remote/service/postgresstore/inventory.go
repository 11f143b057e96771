package postgresstore

import "paperfs/remote/service/store/records"

// faults are the faults that only PostgreSQL looks for; see records.Queries.FaultsOf.
var faults = []string{
	`SELECT 'tenant ' || t.name || ' has wrong totals: ' || t.media_bytes || ' bytes of media and ' || t.papers || ' papers are recorded' FROM tenant t
		WHERE t.id > 0 AND (t.media_bytes <> (SELECT coalesce(sum(size), 0) FROM media_file WHERE tenant = t.id) OR t.papers <> (SELECT count(*) FROM node WHERE tenant = t.id AND kind = 2))`,
	`SELECT 'content ' || named.key || ' is named by a record, but not marked as kept' FROM (` + records.Named + `) named
		LEFT JOIN content ON content.key = named.key WHERE named.key <> '' AND content.state IS DISTINCT FROM 'kept'`,
	`SELECT 'content ' || key || ' is marked as kept, but no record names it' FROM content WHERE state = 'kept' AND key NOT IN (` + records.Named + `)`,
}

func (t *tx) Faults() ([]string, error) { return t.FaultsOf(faults) }
