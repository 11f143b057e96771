// Package records holds the queries that both SQL engines, SQLite and PostgreSQL, ask in the same
// words. An engine embeds [Queries] in its transaction, and has methods of its own only for what
// it does differently: what takes many records at once, counts totals, or waits for locks.
//
// The words must mean the same to both engines: parameters are $1, $2 …, casts are CAST(x AS
// bigint), a conflict names its columns. What differs in a word or two is in [Dialect].
package records

// Tx runs statements in a transaction. Errors are those of package store.
type Tx interface {
	// Row scans the only row of a query; store.ErrNotFound if there is none.
	Row(query string, args []any, into ...any) error
	// Each visits the rows of a query; scan is the Scan of the current row.
	Each(query string, args []any, visit func(scan func(...any) error) error) error
	// Exec runs a statement that may affect no rows.
	Exec(query string, args ...any) error
	// Change runs a statement that must change a record; store.ErrNotFound if it changes none.
	Change(query string, args ...any) error
	// Insert runs an INSERT, and returns the new id.
	Insert(query string, args ...any) (int64, error)
	// InsertMany adds rows to a table.
	InsertMany(table string, columns []string, count int, row func(i int) ([]any, error)) error
	// CheckTenant rejects a change of another tenant than the one that the transaction may write.
	CheckTenant(tenant int64) error
	// Fail records a failure, after which the transaction can only be left, and returns it.
	Fail(err error) error
}

// Dialect is where the engines differ by a word or two.
type Dialect struct {
	Now        string                        // the time by the database's clock, to compare with a lease
	SkipLocked string                        // ends a SELECT that passes over rows of other transactions
	Bytes      string                        // the type of bytes
	Overriding string                        // begins VALUES with an id
	NextFile   string                        // the next id of a media file, or NULL where that means the same
	LogPlace   string                        // see store.WebhookReader
	Beside     func(table, on string) string // joins the few rows of a table that belong to each row before it, by an index
	Jobs       string                        // SELECT of guid, node, created, progress, status, reason of each job
}

// Queries are the methods of a store.Writer that both engines share.
type Queries struct {
	tx      Tx
	dialect *Dialect
}

// New returns the queries of a transaction.
func New(tx Tx, dialect *Dialect) Queries { return Queries{tx, dialect} }

// All collects the rows of a query.
func All[T any](tx Tx, query string, args []any, read func(scan func(...any) error, into *T) error) ([]T, error) {
	var found []T
	err := tx.Each(query, args, func(scan func(...any) error) error {
		var one T
		err := read(scan, &one)
		found = append(found, one)
		return err
	})
	return found, err
}

// one reads rows of one column.
func one[T any](scan func(...any) error, into *T) error { return scan(into) }
