package document

import "database/sql"

// all returns the rows that a query selects, each as read has scanned it.
func all[T any](db *sql.DB, read func(scan func(...any) error, row *T) error, query string, args ...any) (found []T, err error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row T
		if err := read(rows.Scan, &row); err != nil {
			return nil, err
		}
		found = append(found, row)
	}
	return found, rows.Err()
}

// texts returns the texts that a query selects.
func (c *Cache) texts(query string, args ...any) ([]string, error) {
	return all(c.db, func(scan func(...any) error, text *string) error { return scan(text) }, query, args...)
}
