package store

import (
	"context"
	"iter"
)

// Row is one of a table, a value for each column that was asked for: nil, int64 (also
// for what is true or false), float64, string or []byte.
type Row []any

// Exporter gives all records away, table by table, as they are: with the ids that
// clients know, which the steps of Writer give out themselves. Engines have tables and
// columns of the same names. What an engine has beside them it makes itself, and what
// is of the moment stays: leases, the ledger of contents.
type Exporter interface {
	// Export runs f on one state of all records. Both readers are of that state, and
	// are used one after the other.
	Export(ctx context.Context, f func(Tables, Reader) error) error
}

// Importer takes the records of another engine over.
type Importer interface {
	Exporter
	// Import runs f as one change, of records that have no tenant yet. Contents that
	// the new records name are kept from then on.
	Import(ctx context.Context, f func(Loader) error) error
}

// Tables are all records.
type Tables interface {
	// Columns returns the names of a table's columns, sorted.
	Columns(table string) ([]string, error)
	// Rows visits the rows of a table, in any order.
	Rows(table string, columns []string) iter.Seq2[Row, error]
	// Last is the greatest id that was ever given out in a table of WithIDs.
	Last(table string) (int64, error)
}

// Loader fills them.
type Loader interface {
	Tables
	// Order is that in which the tables are to be loaded.
	Order() []string
	Load(table string, columns []string, rows iter.Seq2[Row, error]) error
	SetLast(table string, id int64) error
}

// AllTables are those that are copied, each after those that its records name.
var AllTables = []string{"service", "secret", "tenant", "tenant_host", "account", "pdf_time", "node", "setting", "preview_token",
	"media_dir", "media_file", "media_content", "page", "page_phrase", "page_layer", "image", "processing", "rendition", "link", "edition",
	"purchase", "purchase_line", "job", "job_work", "custom_field", "custom_value", "pageview", "visit"}

// WithIDs are the tables whose ids are given out once.
var WithIDs = []string{"tenant", "account", "node", "media_dir", "media_file", "page", "purchase", "job_work", "custom_field"}

// OwnSecret is the secret that is not copied: it holds a database to content beside it.
const OwnSecret = "data"
