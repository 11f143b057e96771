package document

import "errors"

// ForgetPapers deletes all records about papers, because their ids now refer to other
// data.
func (c *Cache) ForgetPapers() error {
	for _, table := range []string{"source", "source_before", "job", "preview"} {
		if _, err := c.db.Exec("DELETE FROM " + table); err != nil {
			return err
		}
	}
	return nil
}

// Deleted forgets a deleted paper. Its jobs stay in the list of jobs.
func (c *Cache) Deleted(paper int64) error {
	c.Drop(paper)
	var errs []error
	for _, change := range []string{`DELETE FROM source WHERE paper = ?`, `DELETE FROM source_before WHERE paper = ?`, `UPDATE job SET paper = NULL WHERE paper = ?`} {
		_, err := c.db.Exec(change, paper)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, c.pinSources(paper))...)
}
