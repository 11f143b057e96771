package view

import "strings"

// frameData is derived from a Frame.
type frameData struct {
	Words  Words
	Assets string // relative address of the assets' directory
}

func (f Frame) data() frameData {
	speaks := f.Speaks
	if speaks == "" {
		speaks = f.Language
	}
	return frameData{wordsOf(speaks), strings.Repeat("../", f.Depth) + Path[1:]}
}

// Words returns the texts in the frame's language.
func (f Frame) Words() Words { return f.data().Words }
