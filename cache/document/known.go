package document

import (
	"encoding/json"

	"paperfs/remote"
)

// Known returns the bytes of an answer if it is cached and not stale. It makes no
// requests.
func (c *Cache) Known(doc Doc, id int64, arg string) ([]byte, bool) {
	m, ttl := c.documents, c.ttl
	if doc == DocSettingDescriptions {
		m, ttl = c.lists, settingListTTL
	}
	value, fresh, _ := m.peek(key{doc, id, arg}, ttl)
	if !fresh {
		return nil, false
	}
	return entry{value: value}.body()
}

// body returns an answer's bytes in the form in which they are saved; ok is false for an
// answer that is not saved.
func (e entry) body() ([]byte, bool) {
	switch v := e.value.(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	case *structure:
		return v.body, true
	case *settingList:
		return v.body, true
	case found:
		return v.Payload, true
	case []remote.Field:
		body, err := json.Marshal(v)
		return body, err == nil
	}
	return nil, false
}
