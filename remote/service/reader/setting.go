package reader

import (
	"cmp"
	"encoding/json"
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// settings are the effective settings of one node. They ignore malformed values, which date
// from before the service checked them.
type settings struct {
	tx     store.Reader
	node   int64
	values map[string]string // the set ones; nil until the first use
	wishes pdf.Wishes        // of the node's PDF, for settings that are not set
	err    error             // if not nil, all settings read as empty
}

// read reads the set values, and the wishes; without those, defaults apply.
func (s *settings) read() (err error) {
	if s.values, err = s.tx.InheritedSettings(s.node); err != nil {
		return err
	}
	r, err := s.tx.Rendition(s.node)
	_ = json.Unmarshal([]byte(r.Wishes), &s.wishes)
	return store.IgnoreNotFound(err)
}

func (s *settings) isSet(name string) bool {
	_, set := s.values[name]
	return set
}

func (s *settings) text(name string) string {
	setting, _ := property.FindSetting(name)
	if s.values == nil && s.err == nil {
		s.err = s.read()
	}
	if s.err != nil {
		return ""
	}
	text, found := s.values[name]
	if !found {
		wish := map[string]string{"language": s.wishes.Language, "pageLayout": s.wishes.Layout}[name]
		text = cmp.Or(wish, setting.Default())
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
