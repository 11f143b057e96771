package postgresstore

import "paperfs/remote/service/store"

// DropContent implements store.ContentWriter.
func (t *tx) DropContent(key string) error {
	if key != "" {
		t.pending.dropped = append(t.pending.dropped, key)
	}
	return nil
}

// KeepContent implements store.ContentWriter.
func (t *tx) KeepContent(key string) error {
	if key == "" {
		return nil
	}
	err := givenUp(t.Change(`UPDATE content SET state = 'kept', since = clock_timestamp() WHERE key = $1 AND state IN ('intended', 'kept')`, key))
	return t.Fail(err)
}

// drop marks contents as dropped, at the end of a change. It skips content that a record still
// names: a caller may believe that its change was undone when in fact it was committed.
const drop = `UPDATE content SET state = 'dropped', since = clock_timestamp() WHERE key = ANY($1) AND state IN ('intended', 'kept')
		AND NOT EXISTS (SELECT 1 FROM media_file WHERE media_file.content = content.key AND media_file.content <> '')
		AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.content = content.key AND kept.content <> '')
		AND NOT EXISTS (SELECT 1 FROM rendition WHERE pdf = key)
		AND NOT EXISTS (SELECT 1 FROM rendition WHERE images = key)
		AND NOT EXISTS (SELECT 1 FROM job_work WHERE pdf = key)`

func givenUp(err error) error {
	if store.IsNotFound(err) {
		return store.ErrGivenUp
	}
	return err
}
