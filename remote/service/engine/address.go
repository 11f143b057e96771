package engine

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
)

// secrets are the options of an address of PostgreSQL that nobody else is to know.
var secrets = []string{"password", "sslpassword"}

// CheckDatabase refuses what is no address of a database, and one with a password.
//
//	postgres://[USER@]HOST[:PORT]/DATABASE[?OPTION=VALUE&...]
func CheckDatabase(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		// It is not repeated: somebody may have put a secret there.
		return errors.New("the address of the database is not a URL: it has the form postgres://USER@HOST/DATABASE")
	}
	_, hasPassword := u.User.Password()
	for _, name := range secrets {
		hasPassword = hasPassword || u.Query().Has(name)
	}
	if hasPassword {
		return errors.New("the address of the database has a password in it, and all users of this machine can read arguments: " +
			"leave it out, and set PGPASSWORD, or PGPASSFILE to a file of mode 0600 with the line HOST:PORT:DATABASE:USER:PASSWORD. Change the password that was here")
	}
	if !slices.Contains([]string{"postgres", "postgresql"}, u.Scheme) || u.Opaque != "" || u.Path == "" || u.Path == "/" || u.Fragment != "" {
		return fmt.Errorf("%q is not the address of a database: it has the form postgres://USER@HOST/DATABASE", address)
	}
	return nil
}
