package generate

import (
	"errors"
	"fmt"
)

// Spec says what to generate.
type Spec struct {
	Papers     int
	Categories int
	Depth      int // levels of categories below the root, 1 to 100
	Seed       uint64
	Pages      int  // pages of each paper, with text and without images
	Media      int  // media files
	Awkward    bool // names that are hard to show as file names
}

// maxDepth keeps addresses short enough for clients.
const maxDepth = 100

// Check rejects what cannot be generated.
func (s Spec) Check() error {
	for _, field := range []struct {
		name  string
		value int
	}{{"papers", s.Papers}, {"categories", s.Categories}, {"pages", s.Pages}, {"media", s.Media}} {
		if field.value < 0 {
			return fmt.Errorf("%s: %d is negative", field.name, field.value)
		}
	}
	switch {
	case s.Depth < 1 || s.Depth > maxDepth:
		return fmt.Errorf("depth: %d is not from 1 to %d", s.Depth, maxDepth)
	case s.Categories > 0 && s.Categories < s.Depth:
		return fmt.Errorf("depth: %d levels need as many categories, not %d", s.Depth, s.Categories)
	case s.Papers+s.Categories+s.Media == 0:
		return errors.New("nothing to make: ask for papers, categories or media")
	}
	return nil
}

// Report counts what was generated.
type Report struct {
	Categories  int `json:"categories"`
	Papers      int `json:"papers"`
	Pages       int `json:"pages"`
	Directories int `json:"directories"` // media directories
	Files       int `json:"files"`       // media files
}
