package view

import "cmp"

// Words returns the texts in the frame's language.
func (f Frame) Words() Words { return wordsOf(cmp.Or(f.Speaks, f.Language)) }

// language returns the tag of the content's language.
func (f *Frame) language() string { return cmp.Or(f.Language, "en") }
