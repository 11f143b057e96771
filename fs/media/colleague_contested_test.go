package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestARandomColleagueKnowsWhoWasLast checks that a user's upload that was on the way when the colleague
// put a version may have replaced that, and that a user's later removal then removes the user's content;
// and that a refused change excuses nothing that the service had before it began.
func TestARandomColleagueKnowsWhoWasLast(t *testing.T) {
	t.Parallel()
	h := &history{base: map[string]string{}, acts: map[string][]*act{}, queues: true}
	mine := h.add("b", &act{who: "cp", byUser: true, acked: true, may: []string{"mine"}, began: 1, ended: 5, settled: 6})
	require.False(t, h.contested("b"))
	h.add("b", &act{who: "colleague", acked: true, may: []string{"theirs"}, began: 2, ended: 3, settled: 3})
	require.True(t, h.contested("b"))
	require.ElementsMatch(t, []string{"mine", "theirs"}, h.possible("b", nil))
	h.add("b", &act{who: "colleague", acked: true, may: []string{"newer"}, began: 7, ended: 8, settled: 8})
	require.False(t, h.contested("b"))
	require.Equal(t, []string{"newer"}, h.possible("b", nil))

	mine.settled = 8
	h = &history{base: map[string]string{}, acts: map[string][]*act{"b": {mine}}, queues: true}
	late := h.add("b", &act{who: "cat", byUser: true, may: []string{"refused"}, began: 6, ended: 10, settled: 10})
	require.Contains(t, h.possible("b", []string{"refused"}), "", "what was queued may have been refused, too")
	late.began = 9
	require.NotContains(t, h.possible("b", []string{"refused"}), "", "the service had it")
}
