package sqlitestore

// Epoch implements store.EventReader. Each opening of a database begins another one: nothing tells a file that was
// restored, or copied by hand, from the one that was there before.
func (t *tx) Epoch() (string, error) { return t.epoch, nil }
