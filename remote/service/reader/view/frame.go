package view

import "strings"

// frameData is derived from a Frame.
type frameData struct {
	Words  Words
	Assets string // relative address of the assets' directory
	Up     string // relative address of the service's base
}

func (f Frame) data() frameData {
	speaks := f.Speaks
	if speaks == "" {
		speaks = f.Language
	}
	up := strings.Repeat("../", f.Depth)
	return frameData{wordsOf(speaks), up + Path[1:], up}
}

// Words returns the texts in the frame's language.
func (f Frame) Words() Words { return f.data().Words }
