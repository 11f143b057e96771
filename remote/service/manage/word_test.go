package manage

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/reader/view"
	"paperfs/remote/testrun"
)

// TestThePageSpeaksTheReadersLanguages checks that each language of the reader has all texts, with the same places for values, and that all
// of them are used.
func TestThePageSpeaksTheReadersLanguages(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, slices.Collect(maps.Keys(view.Languages())), slices.Collect(maps.Keys(languages())))
	english := languages()["en"]
	for tag, words := range languages() {
		require.ElementsMatch(t, slices.Collect(maps.Keys(english)), slices.Collect(maps.Keys(words)), tag)
		for name, text := range words {
			require.NotEmpty(t, text, "%s %s", tag, name)
			require.Equal(t, strings.Count(english[name], "{}"), strings.Count(text, "{}"), "%s %s", tag, name)
		}
	}
	for accepts, tag := range map[string]string{"de-CH,de;q=0.9": "de", "xx, fr;q=0.5": "fr", "": "en", "zh": "en", "EN-US": "en", "nl;q=1": "nl"} {
		require.Equal(t, tag, wordsFor([]string{accepts})["tag"], accepts)
	}
}

// TestScriptsOfThePageFitTogether checks that the modules have no name in common, since they become one script, and that all of it is small.
func TestScriptsOfThePageFitTogether(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, module := range modules {
		content := testrun.Must(assetFiles.ReadFile("asset/" + module))(t)
		for _, found := range regexp.MustCompile(`(?m)^(?:export )?(?:const|let|class|(?:async )?function) (\w+|\$)`).FindAllStringSubmatch(string(content), -1) {
			require.Empty(t, names[found[1]], "%s of %s", found[1], module)
			names[found[1]] = module
		}
	}
	total := 0
	for _, f := range assets().Files {
		total += len(f.Zipped)
	}
	t.Logf("%d bytes", total)
	require.LessOrEqual(t, total, 30<<10)
}
