package pdf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestAttachedTables checks that the job gets attachments named .csv if it asks for them and they are not too large.
func TestAttachedTables(t *testing.T) {
	t.Parallel()
	sheet := pdftest.Sheet{Text: "Rake"}
	table := pdftest.File{Name: "products.CSV", Content: "Id,Name\nRK-7,Rake\n"}
	path := write(t, pdftest.Attached([]pdftest.File{{Name: "a.txt", Content: "Id"}, table, {Name: "empty.csv"}}, sheet))
	r, err := process(t, processor(Limits{}), path, Job{Tables: true})
	require.NoError(t, err)
	require.Empty(t, r.tableFailure)
	require.Len(t, r.tables, 2)
	require.Equal(t, Attachment{table.Name, []byte(table.Content)}, r.tables[0])

	r = testrun.Must(process(t, processor(Limits{}), path, Job{}))(t)
	require.Empty(t, r.tables)

	large := pdftest.File{Name: "large.csv", Content: strings.Repeat("x", tableBytes)}
	r = testrun.Must(process(t, processor(Limits{}), write(t, pdftest.Attached([]pdftest.File{table, large}, sheet)), Job{Tables: true}))(t)
	require.Contains(t, r.tableFailure, "too large")
	require.Len(t, r.tables, 1)
	require.Len(t, r.pages, 1)
}
