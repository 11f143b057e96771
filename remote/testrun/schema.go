package testrun

import (
	"compress/gzip"
	"database/sql"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Unpack returns what a file that gzip compressed holds.
func Unpack(t testing.TB, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

var (
	sqlComment = regexp.MustCompile(`--[^\n]*`)
	sqlSpace   = regexp.MustCompile(`\s*([(),;]|\s)\s*`)
	sqlQuoted  = regexp.MustCompile(`^(CREATE TABLE) ["']([a-z_]+)["']`)
)

// Schema returns the statements that make the tables, indexes, triggers and views of a SQLite database, without comments and white space.
// Those of the table of migrations are left out.
func Schema(t testing.TB, db *sql.DB) map[string]string {
	t.Helper()
	rows, err := db.Query(`SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE tbl_name <> 'goose_db_version'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		text = sqlSpace.ReplaceAllStringFunc(sqlComment.ReplaceAllString(text, ""), func(s string) string {
			if s = strings.TrimSpace(s); s == "" {
				return " "
			}
			return s
		})
		all[name] = sqlQuoted.ReplaceAllString(strings.TrimSpace(text), "$1 $2")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
