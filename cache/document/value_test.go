package document

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"paperfs/remote"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOwnWriteIsReadBack(t *testing.T) {
	f := newFixture(t)
	read := func(id int64) string {
		value, err := f.Setting(t.Context(), id, "iconPdf")
		require.NoError(t, err)
		return value
	}
	require.Equal(t, "false", read(5))
	require.Equal(t, "false", read(6), "node 6 inherits from 5")
	require.NoError(t, f.SetSetting(t.Context(), 5, "iconPdf", "true"))
	require.Equal(t, "true", read(5))
	require.Equal(t, "true", read(6))

	criteria := []remote.FieldCriterion{{Name: "Season", Value: "Spring"}}
	_, err := f.SearchFields(t.Context(), 1, criteria)
	require.NoError(t, err)
	_, err = f.Fields(t.Context())
	require.NoError(t, err)
	f.expectCalls(t, 2, func() {
		require.NoError(t, f.SetField(t.Context(), 5, "Season", "Spring"))
		value, err := f.Field(t.Context(), 5, "Season")
		require.NoError(t, err)
		require.Equal(t, "Spring", value)
	})
	f.expectCalls(t, 1, func() { _, _ = f.SearchFields(t.Context(), 1, criteria) })
}

func TestValueReadDuringAWriteIsNotKept(t *testing.T) {
	f := newFixture(t)
	f.service.before = func() {
		// A reader arrives during the write and sees the value that the service has at that
		// moment.
		f.service.settings["iconPdf"] = "between"
		value, err := f.Setting(t.Context(), 5, "iconPdf")
		require.NoError(t, err)
		require.Equal(t, "between", value)
		f.service.settings["iconPdf"] = "true"
	}
	require.NoError(t, f.SetSetting(t.Context(), 5, "iconPdf", "true"))
	value, err := f.Setting(t.Context(), 5, "iconPdf")
	require.NoError(t, err)
	require.Equal(t, "true", value)
}

// TestALaterWriteIsNotOvertaken writes a value while the one before is under way, as after a program that was
// interrupted: the later one is sent when that has ended.
func TestALaterWriteIsNotOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		for values, set := range map[*map[string]string]func(value string) error{
			&f.service.settings: func(value string) error { return f.SetSetting(t.Context(), 5, "language", value) },
			&f.service.values:   func(value string) error { return f.SetField(t.Context(), 5, "Season", value) },
		} {
			answer := make(chan struct{})
			f.service.before = func() { <-answer }
			for _, value := range []string{"first", "second"} {
				go func() { assert.NoError(t, set(value)) }()
				synctest.Wait()
				require.Contains(t, slices.Collect(maps.Values(*values)), "first", "the first is under way")
			}
			close(answer)
			synctest.Wait()
			require.Contains(t, slices.Collect(maps.Values(*values)), "second")
		}
		require.Empty(t, f.Cache.sends.last)
	})
}

func TestWriteOfUnknownOutcomeForgetsTheValue(t *testing.T) {
	f := newFixture(t)
	_, err := f.Setting(t.Context(), 5, "iconPdf")
	require.NoError(t, err)
	f.service.err = &remote.Error{Op: "SetSetting", Kind: remote.Stalled, Ambiguous: true}
	require.Error(t, f.SetSetting(t.Context(), 5, "iconPdf", "true"))
	f.service.err = nil
	value, err := f.Setting(t.Context(), 5, "iconPdf")
	require.NoError(t, err)
	require.Equal(t, "true", value)
}

func TestUnknownNamesCostNoRequest(t *testing.T) {
	f := newFixture(t)
	_, err := f.Settings(t.Context())
	require.NoError(t, err)
	_, err = f.Fields(t.Context())
	require.NoError(t, err)
	f.expectCalls(t, 0, func() {
		_, err := f.Setting(t.Context(), 5, "IconPdf")
		require.ErrorIs(t, err, ErrUnknownName)
		require.ErrorIs(t, f.SetSetting(t.Context(), 5, "nope", "1"), ErrUnknownName)
		_, err = f.Field(t.Context(), 5, "nope")
		require.ErrorIs(t, err, ErrUnknownName)
		require.ErrorIs(t, f.SetField(t.Context(), 5, "nope", "1"), ErrUnknownName)
	})
}

func TestValuesThatDoNotFitTheirTypeAreNotSent(t *testing.T) {
	f := newFixture(t)
	_, err := f.Settings(t.Context())
	require.NoError(t, err)
	good := map[string][]string{
		"iconPdf":  {"true", "FALSE", " 1 ", "0"},
		"maxZoom":  {"0", "-5", "2147483647"},
		"language": {"", "dä", strings.Repeat("ä", 4000)},
		"expires":  {"2027-01-31", "2027-01-31 18:00:00", "2027-01-31T18:00Z", "2027-01-31T18:00:00+00:00"},
	}
	bad := map[string][]string{
		"iconPdf":  {"yes", "", "2"},
		"maxZoom":  {"1.5", "2147483648", "", "0x5"},
		"language": {strings.Repeat("ä", 4001)},
		"expires":  {"31/12/2027", "2027-02-30", "tomorrow", "1850-01-01", "2027-01-31Z", "\u00a02027-01-31"},
	}
	for name, values := range good {
		for _, value := range values {
			f.expectCalls(t, 1, func() { require.NoError(t, f.SetSetting(t.Context(), 5, name, value)) })
		}
	}
	for name, values := range bad {
		for _, value := range values {
			f.expectCalls(t, 0, func() { require.ErrorIs(t, f.SetSetting(t.Context(), 5, name, value), ErrInvalid) })
		}
	}
}

func TestWhatIsNoTextIsRefusedAtNoRequest(t *testing.T) {
	f := newFixture(t)
	_, err := f.Settings(t.Context())
	require.NoError(t, err)
	_, err = f.Fields(t.Context())
	require.NoError(t, err)
	for _, text := range []string{"a\x01b", "\x00", "\ufffe", "\uffff", "caf\xe9"} {
		f.expectCalls(t, 0, func() {
			require.ErrorIs(t, f.SetSetting(t.Context(), 5, "language", text), ErrInvalid)
			require.ErrorIs(t, f.SetField(t.Context(), springPaper.ID, "Season", text), ErrInvalid)
			_, err := f.SearchPapers(t.Context(), 1, text)
			require.ErrorIs(t, err, ErrInvalid)
		})
	}
	f.expectCalls(t, 1, func() { require.NoError(t, f.SetField(t.Context(), springPaper.ID, "Season", "a\tb\nc\U0001f4a5")) })
}

func TestServiceWithoutFieldsHasNone(t *testing.T) {
	f := newFixture(t)
	f.service.err = &remote.Error{Op: "GetCustomFieldDefinitions", Kind: remote.NotOffered}
	for range 2 {
		f.expectCalls(t, 1, func() {
			fields, err := f.Fields(t.Context())
			require.NoError(t, err)
			require.Empty(t, fields)
		})
	}
	f.service.err = nil // only a proxy had said so
	fields, err := f.Fields(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, fields)
}

func TestARefusedSettingIsExplainedOnce(t *testing.T) {
	err := refusedValue(&remote.Error{Op: "SetSetting", Kind: remote.Refused, Code: remote.Failure, Message: "shopPhone has to be a telephone number."})
	require.EqualError(t, err, "invalid value: shopPhone has to be a telephone number.")
	require.ErrorIs(t, err, ErrInvalid)
	require.ErrorAs(t, err, new(*remote.Error))
	require.EqualError(t, refusedValue(&remote.Error{Op: "SetSetting", Kind: remote.Refused, Code: remote.Failure}), "invalid value: SetSetting: ERROR")
}
