package reader

import (
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// settings are the effective settings of one node. They ignore malformed values, which date
// from before the service checked them.
type settings struct {
	tx     store.Reader
	node   int64
	values map[string]string // the set ones; nil until the first use
	err    error             // if not nil, all settings read as empty
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
