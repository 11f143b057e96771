package manage

import (
	"embed"
	"encoding/json"
	"path"
	"strings"
	"sync"
)

// Words are the texts of a language, by names that documents and scripts share. {} in a text is a value's place.
type Words map[string]string

//go:embed language
var languageFiles embed.FS

// languages are the words of all languages by their tags, those of the reader. They are read at the first use.
var languages = sync.OnceValue(func() map[string]Words {
	all := map[string]Words{}
	files, _ := languageFiles.ReadDir("language") // embedded, and read by a test
	for _, file := range files {
		content, _ := languageFiles.ReadFile("language/" + file.Name())
		tag := strings.TrimSuffix(file.Name(), path.Ext(file.Name()))
		w := Words{}
		_ = json.Unmarshal(content, &w)
		all[tag], w["tag"] = w, tag
	}
	return all
})

// wordsFor returns the words for the first language that a browser names and there is, or else English ones.
func wordsFor(accepts []string) Words {
	for wish := range strings.SplitSeq(strings.Join(accepts, ","), ",") {
		primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(wish)), "-")
		primary, _, _ = strings.Cut(primary, ";")
		if w, ok := languages()[primary]; ok {
			return w
		}
	}
	return languages()["en"]
}
