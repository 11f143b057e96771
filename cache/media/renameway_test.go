package media

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tableRows returns the rows of the table in doc.go with the given columns.
func tableRows(t *testing.T, columns ...string) (rows [][]string) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	inside := false
	for line := range strings.Lines(string(doc)) {
		row, indented := strings.CutPrefix(line, "//\t")
		cells := strings.Fields(row)
		switch {
		case !inside:
			inside = indented && slices.Equal(cells, columns)
		case indented:
			require.Len(t, cells, len(columns))
			rows = append(rows, cells)
		default:
			require.NotEmpty(t, rows)
			return rows
		}
	}
	require.Fail(t, "no such table", "%v", columns)
	return nil
}

// requestsOfRenames are the requests in the table, apart from a check of the tree.
var requestsOfRenames = []string{"UploadFile", "MoveFile", "MoveDirectory", "DeleteFile"}

// TestRenamesAskAsTheTableSays checks each row of the table in doc.go: the requests, and what
// a reader finds at the service and locally.
func TestRenamesAskAsTheTableSays(t *testing.T) {
	t.Parallel()
	options := map[string]func(*Options){"-": func(*Options) {}, "delete": deleting, "write-back": writingBack,
		"both": func(o *Options) { deleting(o); writingBack(o) }, "moves": moving}
	for _, row := range tableRows(t, "source", "to", "flag", "asked") {
		source, to, flag, asked := row[0], row[1], row[2], row[3]
		t.Run(source+" "+to+" "+flag, func(t *testing.T) {
			f := newFixture(t, options[flag], func(o *Options) { o.Transfers = 1 })
			if to == "published" {
				_, err := f.create(Root, "b", "theirs")
				require.NoError(t, err)
			}
			name := "a"
			switch source {
			case "scratch":
				name = ".a"
				_, err := f.create(Root, name, "content")
				require.NoError(t, err)
			case "unsent":
				_, h, err := f.store.Create(Root, name, New{Mode: 0o644, UID: 7, GID: 8})
				require.NoError(t, err)
				f.writeAll(h, "content")
				defer h.Release()
			case "published":
				_, err := f.create(Root, name, "content")
				require.NoError(t, err)
			case "directory":
				f.mkdir(Root, name)
			}
			f.drain()
			require.NoError(t, f.store.Refresh(ctx))
			open := f.service.hold("UploadFile")
			if flag != "write-back" {
				open()
			} else {
				defer open()
			}
			before := f.asked()
			err := f.rename(Root, name, Root, map[string]string{"scratch": ".b", "free": "b", "published": "b", "case": "A"}[to])
			if kind, refused := map[string]Kind{"refused": Unsupported, "EXDEV": OtherDevice}[asked]; refused {
				require.True(t, Is(err, kind), "%v", err)
				asked = "-"
			} else {
				require.NoError(t, err)
			}
			var ops []string
			for _, op := range requestsOfRenames {
				if n := f.service.count(op) - before[op]; n > 0 && flag != "write-back" {
					require.Equal(t, 1, n)
					ops = append(ops, op)
				}
			}
			if len(ops) == 0 {
				ops = []string{"-"}
			}
			require.Equal(t, asked, strings.Join(ops, "+"))
		})
	}
}

// asked returns how often each operation was requested.
func (f *fixture) asked() map[string]int {
	before := map[string]int{}
	for _, op := range requestsOfRenames {
		before[op] = f.service.count(op)
	}
	return before
}
