package document

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"paperfs/remote"
	"paperfs/remote/rules"
)

type settingList struct {
	body     []byte
	settings []remote.Setting
	err      error // why body could not be parsed
}

func (c *Cache) settingList(ctx context.Context) (*settingList, error) {
	return fetch(ctx, c.lists, key{doc: DocSettingDescriptions}, settingListTTL, func(ctx context.Context) (*settingList, int64, error) {
		body, err := c.service.GetSettingDescriptions(ctx)
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

// SettingDescriptions returns the answer of GetSettingDescriptions as received: 1 request,
// 0 for a day.
func (c *Cache) SettingDescriptions(ctx context.Context) ([]byte, error) {
	list, err := c.settingList(ctx)
	if err != nil {
		return nil, err
	}
	return list.body, nil
}

// Settings returns the settings that every node has: 1 request, 0 for a day.
func (c *Cache) Settings(ctx context.Context) ([]remote.Setting, error) {
	list, err := c.settingList(ctx)
	if err != nil {
		return nil, err
	}
	return list.settings, list.err
}

// KnownSettings returns the settings if they are cached. It makes no requests.
func (c *Cache) KnownSettings() ([]remote.Setting, bool) {
	value, fresh, _ := c.lists.peek(key{doc: DocSettingDescriptions}, settingListTTL)
	if !fresh {
		return nil, false
	}
	list := value.(*settingList)
	return list.settings, list.err == nil
}

func (c *Cache) setting(ctx context.Context, name string) (remote.Setting, error) {
	settings, err := c.Settings(ctx)
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

// Setting returns a node's own or inherited value: 1 request, 0 while cached, plus that of
// Settings if the list is not cached. ErrUnknownName costs no more than the list.
func (c *Cache) Setting(ctx context.Context, id int64, name string) (string, error) {
	if _, err := c.setting(ctx, name); err != nil {
		return "", err
	}
	return fetch(ctx, c.documents, key{DocSetting, id, name}, c.ttl, func(ctx context.Context) (string, int64, error) {
		value, err := c.service.GetSetting(ctx, id, name)
		return value, int64(len(value)) + overhead, err
	})
}

// SetSetting sets a node's own value: 1 request, plus that of Settings if the list is not cached. For a value that does not fit the
// setting's type, or that XML cannot carry, it returns ErrInvalid without a request.
func (c *Cache) SetSetting(ctx context.Context, id int64, name, value string) error {
	s, err := c.setting(ctx, name)
	if err != nil {
		return err
	}
	if why := misfit(s.Type, value); why != "" {
		return fmt.Errorf("%w: setting %s is of type %s: %q %s", ErrInvalid, name, s.Type, value, why)
	}
	if err := checkText("the value", value); err != nil {
		return err
	}
	end, err := c.sends.acquire(ctx, key{DocSetting, id, name})
	if err != nil {
		return err
	}
	defer end()
	// Also after a failure, because its outcome may be unknown. Descendants inherit the value,
	// and the service may normalize it.
	defer c.SettingChanged(name)
	return refusedValue(c.service.SetSetting(ctx, id, name, value))
}

// SettingChanged forgets the values of a setting: descendants inherit them.
func (c *Cache) SettingChanged(name string) {
	c.documents.forget(func(k key) bool { return k.doc == DocSetting && k.arg == name })
}

// refusedValue turns ERROR without a reason into ErrInvalid: the setting exists and the
// value has its type, so the service must have refused the value's form.
func refusedValue(err error) error {
	var e *remote.Error
	if errors.As(err, &e) && e.Kind == remote.Refused && e.Code == remote.Failure && e.Full == "" {
		return &invalidError{e}
	}
	return err
}

// invalidError is an ErrInvalid with the service's message alone: operation and code say no more.
type invalidError struct{ refusal *remote.Error }

func (e *invalidError) Error() string {
	return ErrInvalid.Error() + ": " + cmp.Or(e.refusal.Message, e.refusal.Error())
}

func (e *invalidError) Unwrap() []error { return []error{ErrInvalid, e.refusal} }

// misfit explains why a value does not fit a setting's type; "" if it fits. A type that is
// unknown here accepts every value: the service decides.
func misfit(kind, value string) string {
	if _, ok := rules.Typed(kind, value); ok {
		return ""
	}
	switch kind {
	case rules.BoolType:
		return "is neither true nor false"
	case rules.IntType:
		return "is not a whole number of 32 bits"
	case rules.DateTimeType:
		return "is not a date: write 2027-01-31 or 2027-01-31 18:00:00"
	case rules.StringType:
		if utf8.RuneCountInString(value) > rules.MaxText {
			return tooLong
		}
	}
	return ""
}

// tooLong is the end of messages about a value.
var tooLong = fmt.Sprintf("is longer than %d characters", rules.MaxText)
