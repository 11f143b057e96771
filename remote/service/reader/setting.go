package reader

import (
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// settings are what readers and shelves obey, of one node. A value of another
// form than its setting's, from before forms were checked, is as good as none.
type settings struct {
	tx   store.Reader
	node int64
	err  error // the first; with it all values are empty
}

func (s *settings) text(name string) string {
	setting, _ := property.FindSetting(name)
	if s.err != nil {
		return ""
	}
	text, err := setting.Value(s.tx, s.node)
	if s.err = err; err != nil || text == "" {
		return ""
	}
	if text, ok := setting.Accepts(text); ok {
		return text
	}
	return setting.Default()
}

func (s *settings) flag(name string) bool {
	on, _ := rules.Bool(s.text(name), false)
	return on
}

func (s *settings) number(name string) int {
	n, _ := strconv.Atoi(s.text(name))
	return n
}
