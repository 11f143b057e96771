package document

import (
	"errors"
	"testing"
	"time"

	"paperfs/remote"

	"github.com/stretchr/testify/require"
)

func TestDocumentsCostOneRequestWithinTheirTimeToLive(t *testing.T) {
	f := newFixture(t)
	reads := map[string]func() ([]byte, error){
		"structure":      func() ([]byte, error) { return f.Structure(t.Context(), 5, false) },
		"structure-text": func() ([]byte, error) { return f.Structure(t.Context(), 5, true) },
		"links":          func() ([]byte, error) { return f.Links(t.Context(), 5) },
		"orders":         func() ([]byte, error) { return f.Orders(t.Context(), 5, "") },
		"orders by mail": func() ([]byte, error) { return f.Orders(t.Context(), 5, "CheckoutByEmail") },
		"links of 6":     func() ([]byte, error) { return f.Links(t.Context(), 6) },
	}
	for name, read := range reads {
		for _, n := range []int{1, 0} {
			f.expectCalls(t, n, func() {
				body, err := read()
				require.NoError(t, err, name)
				require.NotEmpty(t, body, name)
			})
		}
	}
	f.now = f.now.Add(time.Minute)
	for _, read := range reads {
		f.expectCalls(t, 1, func() { _, _ = read() })
	}
}

func TestKnownAsksNothing(t *testing.T) {
	f := newFixture(t)
	known := func(doc Doc, arg string) string {
		body, _ := f.Known(doc, 5, arg)
		return string(body)
	}
	require.Empty(t, known(DocOrders, ""))
	want, err := f.Orders(t.Context(), 5, "CheckoutBySms")
	require.NoError(t, err)
	_, err = f.Setting(t.Context(), 5, "iconPdf")
	require.NoError(t, err)
	f.expectCalls(t, 0, func() {
		require.Equal(t, string(want), known(DocOrders, "CheckoutBySms"))
		require.Equal(t, "false", known(DocSetting, "iconPdf"))
		require.Empty(t, known(DocOrders, ""))
		_, ok := f.Known(DocSettingDescriptions, 0, "")
		require.True(t, ok)
		f.now = f.now.Add(time.Minute)
		require.Empty(t, known(DocOrders, "CheckoutBySms"))
	})
}

func TestPages(t *testing.T) {
	f := newFixture(t)
	_, known := f.KnownPages(5)
	require.False(t, known)
	f.expectCalls(t, 1, func() {
		text, err := f.PageText(t.Context(), 5, 2)
		require.NoError(t, err)
		require.Equal(t, "Text of page 2", text)
		_, err = f.PageText(t.Context(), 5, 3)
		require.ErrorIs(t, err, ErrUnknownPage)
		pages, err := f.Pages(t.Context(), 5) // the structure with text answers this request as well
		require.NoError(t, err)
		require.Len(t, pages, 2)
	})
	f.now = f.now.Add(time.Hour)
	f.expectCalls(t, 0, func() {
		pages, known := f.KnownPages(5)
		require.True(t, known, "a listing makes no requests, so age does not matter")
		require.Len(t, pages, 2)
	})
	f.expectCalls(t, 1, func() {
		_, err := f.Pages(t.Context(), 5)
		require.NoError(t, err)
	})
}

func TestDropForgetsOnePaperAndDropAllEverything(t *testing.T) {
	f := newFixture(t)
	read := func(id int64) func() {
		return func() {
			_, err := f.Links(t.Context(), id)
			require.NoError(t, err)
			_, err = f.Setting(t.Context(), id, "iconPdf")
			require.NoError(t, err)
		}
	}
	f.expectCalls(t, 3, read(5))
	f.expectCalls(t, 2, read(6))
	f.Drop(5)
	f.expectCalls(t, 0, read(6))
	f.expectCalls(t, 2, read(5))
	f.DropAll()
	f.expectCalls(t, 3, read(6))
}

func TestSearches(t *testing.T) {
	f := newFixture(t)
	criteria := []remote.FieldCriterion{{Name: "Season", Value: "spr%", Wildcard: true}}
	for _, n := range []int{3, 0} {
		f.expectCalls(t, n, func() {
			r, err := f.SearchPapers(t.Context(), 1, "garden")
			require.NoError(t, err)
			require.EqualValues(t, 12, r.Papers[0].ID)
			r, err = f.SearchPages(t.Context(), 1, "garden")
			require.NoError(t, err)
			require.Equal(t, 3, r.Pages[0].Page)
			r, err = f.SearchFields(t.Context(), 1, criteria)
			require.NoError(t, err)
			require.Len(t, r.Papers, 1)
		})
	}
	body, ok := f.Known(DocSearchFields, 1, CriteriaKey(criteria))
	require.True(t, ok)
	require.Contains(t, string(body), `id="12"`)

	f.expectCalls(t, 0, func() {
		for _, query := range []string{"", "  ", string(make([]byte, 129))} {
			_, err := f.SearchPapers(t.Context(), 1, query)
			require.ErrorIs(t, err, ErrInvalid)
			_, err = f.SearchPages(t.Context(), 1, query)
			require.ErrorIs(t, err, ErrInvalid)
		}
		_, err := f.SearchFields(t.Context(), 1, nil)
		require.ErrorIs(t, err, ErrInvalid)
	})
}

func TestFailuresAreNotKept(t *testing.T) {
	f := newFixture(t)
	f.service.err = &remote.Error{Op: "GetLinks", Kind: remote.Refused, Code: remote.PaperDoesNotExist}
	_, err := f.Links(t.Context(), 5)
	var e *remote.Error
	require.True(t, errors.As(err, &e))
	f.service.err = nil
	_, err = f.Links(t.Context(), 5)
	require.NoError(t, err)
}
