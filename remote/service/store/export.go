package store

import (
	"context"
	"iter"
)

// Row is one row of a table, with a value for each requested column: nil, int64 (also for
// booleans), float64, string or []byte.
type Row []any

// Exporter reads all records table by table, with the ids that clients know (the steps of Writer
// assign new ids). All engines have tables and columns of the same names. Tables that only one
// engine has are not exported, nor is short-lived state: leases and the ledger of contents.
type Exporter interface {
	// Export runs f on one consistent state of all records. Tables and Reader see the same state;
	// f must not use both at once.
	Export(ctx context.Context, f func(Tables, Reader) error) error
}

// Importer loads the records of another engine.
type Importer interface {
	Exporter
	// Import runs f as one change. The store must not have a tenant yet. Contents that the new
	// records name are kept from then on.
	Import(ctx context.Context, f func(Loader) error) error
}

// Tables reads the rows of all tables.
type Tables interface {
	// Columns returns the names of a table's columns, sorted.
	Columns(table string) ([]string, error)
	// Rows visits the rows of a table, in any order.
	Rows(table string, columns []string) iter.Seq2[Row, error]
	// Last returns the largest id that was ever assigned in a table with ids.
	Last(table string) (int64, error)
}

// Loader fills the tables.
type Loader interface {
	Tables
	// Order returns the table names in the order in which they must be loaded.
	Order() []string
	Load(table string, columns []string, rows iter.Seq2[Row, error]) error
	SetLast(table string, id int64) error
}

// AllTables lists the tables that are copied, each after the tables that its rows refer to.
var AllTables = []string{"service", "secret", "tenant", "tenant_host", "account", "pdf_time", "node", "not_public", "setting", "preview_token",
	"media_dir", "media_file", "media_content", "kept", "page", "page_phrase", "page_layer", "image", "processing", "rendition", "link", "edition",
	"purchase", "purchase_line", "job", "job_work", "custom_field", "custom_value", "pageview", "click", "visit", "webhook"}

// OwnSecret is the secret that is not copied: it ties a database to the content next to it.
const OwnSecret = "data"
