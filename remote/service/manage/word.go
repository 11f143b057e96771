package manage

import (
	"embed"
	"encoding/json"
	"strings"
	"sync"
)

// Words are the texts of a language, by names that documents and scripts share. {} in a text is a value's place.
type Words map[string]string

//go:embed language
var languageFiles embed.FS

// Languages returns the words of all languages by their tags. It reads them at the first use: most runs of the program need none.
var Languages = sync.OnceValue(func() map[string]Words {
	all := map[string]Words{}
	files, err := languageFiles.ReadDir("language")
	for _, file := range files {
		var content []byte
		var w Words
		if content, err = languageFiles.ReadFile("language/" + file.Name()); err == nil {
			err = json.Unmarshal(content, &w)
		}
		if err != nil {
			break
		}
		tag := strings.TrimSuffix(file.Name(), ".json")
		w["tag"] = tag
		all[tag] = w
	}
	if err != nil {
		panic(err) // cannot fail: the files are embedded, and a test reads them
	}
	return all
})

// wordsFor returns the words for the first language that a browser names and there is, or else English ones.
func wordsFor(accepts []string) Words {
	for _, wish := range strings.Split(strings.Join(accepts, ","), ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(wish), ";")
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if w, ok := Languages()[primary]; ok {
			return w
		}
	}
	return Languages()["en"]
}
