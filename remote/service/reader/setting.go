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
	tx     store.Reader
	node   int64
	values map[string]string // those that somebody set; nil before they are asked for
	err    error             // with it all values are empty
}

func (s *settings) text(name string) string {
	setting, _ := property.FindSetting(name)
	if s.values == nil && s.err == nil {
		s.values, s.err = s.tx.InheritedSettings(s.node)
	}
	if s.err != nil {
		return ""
	}
	text, found := s.values[name]
	if !found {
		text = setting.Default()
	}
	if text == "" {
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
