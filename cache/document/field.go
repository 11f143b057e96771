package document

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// Fields returns the tenant's custom fields: 1 request, 0 for an hour. It returns none if
// the service does not offer them; that is not cached, because the client knows how long
// it need not ask.
func (c *Cache) Fields(ctx context.Context) ([]remote.Field, error) {
	fields, err := fetch(ctx, c.lists, key{doc: docFields}, fieldListTTL, func(ctx context.Context) ([]remote.Field, int64, error) {
		fields, err := c.service.GetCustomFieldDefinitions(ctx)
		return fields, int64(1+len(fields)) * overhead, err
	})
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.NotOffered {
		return nil, nil
	}
	return fields, err
}

// KnownFields returns the custom fields if they are cached. It makes no requests.
func (c *Cache) KnownFields() ([]remote.Field, bool) {
	value, fresh, _ := c.lists.peek(key{doc: docFields}, fieldListTTL)
	if !fresh {
		return nil, false
	}
	return value.([]remote.Field), true
}

func (c *Cache) checkField(ctx context.Context, name string) error {
	fields, err := c.Fields(ctx)
	if err != nil {
		return err
	}
	for _, f := range fields {
		if f.Name == name {
			return nil
		}
	}
	return fmt.Errorf("field %q: %w", name, ErrUnknownName)
}

// Field returns a paper's value of a custom field, empty if it is null: 1 request, 0 while
// cached, plus that of Fields if the list is not cached.
func (c *Cache) Field(ctx context.Context, id int64, name string) (string, error) {
	if err := c.checkField(ctx, name); err != nil {
		return "", err
	}
	return fetch(ctx, c.documents, key{DocField, id, name}, c.ttl, func(ctx context.Context) (string, int64, error) {
		value, _, err := c.service.GetCustomFieldValue(ctx, id, name)
		return value, int64(len(value)) + overhead, err
	})
}

// SetField sets a paper's value of a custom field: 1 request. For a value that is too long
// or that XML cannot carry it returns ErrInvalid without a request.
func (c *Cache) SetField(ctx context.Context, id int64, name, value string) error {
	if err := c.checkField(ctx, name); err != nil {
		return err
	}
	if err := checkText("the value", value); err != nil {
		return err
	}
	if utf8.RuneCountInString(value) > rules.MaxText {
		return fmt.Errorf("%w: the value of %s %s", ErrInvalid, name, tooLong)
	}
	end, err := c.sends.acquire(ctx, key{DocField, id, name})
	if err != nil {
		return err
	}
	defer end()
	// Also after a failure, because its outcome may be unknown.
	defer c.documents.forget(func(k key) bool {
		return k == key{DocField, id, name} || k.doc == DocSearchFields
	})
	return c.service.SetCustomFieldValue(ctx, id, name, value)
}
