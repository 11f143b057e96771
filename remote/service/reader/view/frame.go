package view

import "strings"

// frameData is a Frame with what follows from it.
type frameData struct {
	Words  Words
	Assets string // relative address of the assets
}

func (f Frame) data() frameData {
	speaks := f.Speaks
	if speaks == "" {
		speaks = f.Language
	}
	return frameData{wordsOf(speaks), strings.Repeat("../", f.Depth) + Path[1:]}
}

// Words are those of the frame's buttons.
func (f Frame) Words() Words { return f.data().Words }
