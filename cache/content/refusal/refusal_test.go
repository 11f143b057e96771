package refusal

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/disk"
)

// TestARefusalNamesTheFileAndTheReason checks what the user reads, and that the kind is known behind
// other errors.
func TestARefusalNamesTheFileAndTheReason(t *testing.T) {
	t.Parallel()
	err := CaseClash("a\nb", "A")
	require.Equal(t, `"a\nb": the service does not tell upper from lower case, and has "A"`, err.Error(), "one line")
	require.True(t, Is(fmt.Errorf("mkdir: %w", err), Exists))
	require.False(t, Is(err, NotFound))
	require.False(t, Is(errors.New("other"), Exists))
	require.False(t, Is(nil, Exists))
}

// TestNoRoomIsARefusalAndOtherErrorsAreNot checks that only a full disk becomes one.
func TestNoRoomIsARefusalAndOtherErrorsAreNot(t *testing.T) {
	t.Parallel()
	full := WithoutRoom(fmt.Errorf("writing: %w", &disk.FullError{Detail: "no room"}))
	require.True(t, Is(full, Full))
	require.Equal(t, "no room", full.Error())
	other := errors.New("other")
	require.Same(t, other, WithoutRoom(other))
	require.NoError(t, WithoutRoom(nil))
}
