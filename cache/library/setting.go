package library

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"paperfs/remote"
	"paperfs/remote/rules"
)

type settingList struct {
	body     []byte
	settings []remote.Setting
	err      error // why body could not be parsed
}

func (l *Library) settingList(ctx context.Context) (*settingList, error) {
	return fetch(ctx, l.lists, key{doc: DocSettingDescriptions}, settingListTTL, func(ctx context.Context) (*settingList, int64, error) {
		body, err := l.service.GetSettingDescriptions(ctx)
		if err != nil {
			return nil, 0, err
		}
		return newSettingList(body), 2*int64(len(body)) + overhead, nil
	})
}

func newSettingList(body []byte) *settingList {
	list := &settingList{body: body}
	list.settings, list.err = remote.ParseSettingDescriptions(body)
	return list
}

// SettingDescriptions is GetSettingDescriptions as received: 1 request, 0 for
// a day.
func (l *Library) SettingDescriptions(ctx context.Context) ([]byte, error) {
	list, err := l.settingList(ctx)
	if err != nil {
		return nil, err
	}
	return list.body, nil
}

// Settings are the settings that every node has: 1 request, 0 for a day.
func (l *Library) Settings(ctx context.Context) ([]remote.Setting, error) {
	list, err := l.settingList(ctx)
	if err != nil {
		return nil, err
	}
	return list.settings, list.err
}

// KnownSettings are the settings where they are known without a request.
func (l *Library) KnownSettings() ([]remote.Setting, bool) {
	value, fresh, _ := l.lists.peek(key{doc: DocSettingDescriptions}, settingListTTL)
	if !fresh {
		return nil, false
	}
	list := value.(*settingList)
	return list.settings, list.err == nil
}

func (l *Library) setting(ctx context.Context, name string) (remote.Setting, error) {
	settings, err := l.Settings(ctx)
	if err != nil {
		return remote.Setting{}, err
	}
	for _, s := range settings {
		if s.Name == name {
			return s, nil
		}
	}
	return remote.Setting{}, fmt.Errorf("setting %q: %w", name, ErrUnknownName)
}

// Setting is a node's own or inherited value: 1 request, 0 while known, and
// that of Settings where the list is unknown. ErrUnknownName costs no more
// than the list.
func (l *Library) Setting(ctx context.Context, id int64, name string) (string, error) {
	if _, err := l.setting(ctx, name); err != nil {
		return "", err
	}
	return fetch(ctx, l.documents, key{DocSetting, id, name}, l.ttl, func(ctx context.Context) (string, int64, error) {
		value, err := l.service.GetSetting(ctx, id, name)
		return value, int64(len(value)) + overhead, err
	})
}

// SetSetting sets a node's own value: 1 request. ErrInvalid, and no request,
// for a value that does not fit the setting's type or is no text.
func (l *Library) SetSetting(ctx context.Context, id int64, name, value string) error {
	s, err := l.setting(ctx, name)
	if err != nil {
		return err
	}
	if why := misfit(s.Type, value); why != "" {
		return fmt.Errorf("%w: setting %s is of type %s: %q %s", ErrInvalid, name, s.Type, value, why)
	}
	if err := checkText("the value", value); err != nil {
		return err
	}
	// Also after a failure: its outcome may be unknown. The value is inherited
	// by what lies below, and the service may write it in another way.
	defer l.documents.forget(func(k key) bool { return k.doc == DocSetting && k.arg == name })
	return l.service.SetSetting(ctx, id, name, value)
}

// misfit says why a value does not have a setting's type, in the contract's sense
// (4.1); empty if it fits or the type is unknown here.
func misfit(kind, value string) string {
	v := strings.TrimSpace(value)
	switch kind {
	case "bool":
		switch strings.ToLower(v) {
		case "true", "false", "1", "0":
		default:
			return "is neither true nor false"
		}
	case "int":
		if _, err := strconv.ParseInt(v, 10, 32); err != nil {
			return "is not a whole number of 32 bits"
		}
	case "datetime":
		if !isDateTime(v) {
			return "is not a date: write 2027-01-31 or 2027-01-31 18:00:00"
		}
	case "string":
		if utf8.RuneCountInString(value) > rules.MaxText {
			return "is longer than 4000 characters"
		}
	}
	return ""
}

func isDateTime(v string) bool {
	v = strings.TrimSuffix(strings.Replace(v, "T", " ", 1), "Z")
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if _, err := time.Parse(layout, v); err == nil {
			return true
		}
	}
	return false
}
