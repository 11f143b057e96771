package fs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGeneratedListingsAreOfNow: the kernel keeps the listings of all
// directories, and shows none of a generated one that has changed meanwhile.
func TestGeneratedListingsAreOfNow(t *testing.T) {
	m := newPublisher(t)
	again := func(list string) string {
		first := m.sh(list)
		m.sh(`stat ` + list[len(`ls -U `):] + ` > /dev/null`)
		assert.Equal(t, first, m.sh(list))
		return first
	}
	fields, pages, query, jobs := `ls -U `+spring+`/fields`, `ls -U `+spring+`/pages`, `ls -U papers/.search/fields/Season=spr*`, `ls -U jobs`
	assert.NotContains(t, again(fields), "Weather")
	assert.Empty(t, again(pages))
	assert.Empty(t, again(jobs))
	before := again(query)

	require.NoError(t, m.client().AddCustomField(t.Context(), "Weather", "string"))
	m.sh(`echo > .paperfs/refresh`)
	assert.Contains(t, again(fields), "Weather")
	m.sh(`cat ` + spring + `/structure.xml > /dev/null`)
	assert.NotEmpty(t, again(pages))
	m.sh(`cat jobs/8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11`)
	assert.NotEmpty(t, again(jobs))
	m.sh(`echo Autumn > ` + spring + `/fields/Season; echo > .paperfs/refresh`)
	assert.NotEqual(t, before, again(query))
}

// TestListingDoesNotChangeADirectory: tar, which looks, finds none that changed
// while it was read.
func TestListingDoesNotChangeADirectory(t *testing.T) {
	m := newPublisher(t)
	at := spring + `/fields`
	before := m.sh(`stat -c '%Z %Y' ` + at)
	m.sh(`tar cf /dev/null ` + at + ` && find ` + at + ` > /dev/null`)
	assert.Equal(t, before, m.sh(`stat -c '%Z %Y' `+at), "to the second")
}
