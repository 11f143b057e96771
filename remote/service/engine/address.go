package engine

import (
	"errors"
	"net/url"
	"slices"
	"strings"
)

// secrets are the options of a PostgreSQL address that contain secrets.
var secrets = []string{"password", "sslpassword"}

// CheckDatabase rejects an invalid database address, and one with a password.
//
//	postgres://[USER@]HOST[:PORT]/DATABASE[?OPTION=VALUE&...]
func CheckDatabase(address string) error {
	// The message does not repeat the address, which may contain a secret.
	none := errors.New("not a database address; the form is postgres://USER@HOST/DATABASE")
	u, err := url.Parse(address)
	if err != nil {
		return none
	}
	// The driver accepts options that Go rejects, such as a password with a semicolon.
	options, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return none
	}
	_, hasPassword := u.User.Password()
	for _, name := range secrets {
		hasPassword = hasPassword || options.Has(name)
	}
	if hasPassword {
		return errors.New("the address of the database has a password in it, and all users of this machine can read arguments: " +
			"leave it out, and set PGPASSWORD, or PGPASSFILE to a file of mode 0600 with the line HOST:PORT:DATABASE:USER:PASSWORD. Change the password that was here")
	}
	if !slices.Contains([]string{"postgres", "postgresql"}, u.Scheme) || !strings.HasPrefix(address, u.Scheme+"://") || u.Path == "" || u.Path == "/" || u.Fragment != "" {
		return none
	}
	return nil
}
