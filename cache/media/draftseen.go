package media

// Seen is what Queue was told that the paper of what is queued has, "" for whatever it has.
func (d *Draft) Seen() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed == nil {
		return ""
	}
	return d.seen
}

// SetSeen changes what Seen tells, where that is what it was. It outlives a kill.
func (d *Draft) SetSeen(seen, was string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed == nil || d.seen != was {
		return nil
	}
	row := d.draftRow
	row.seen = seen
	if err := d.store.noteDraft(row); err != nil {
		return err
	}
	d.draftRow = row
	return nil
}
