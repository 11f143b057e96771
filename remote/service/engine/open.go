package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/s3store"
	"paperfs/remote/service/store"
	"paperfs/remote/shellword"
)

// OpenRecords opens the records in a database that Init has set up and whose schema is up to
// date.
func OpenRecords(ctx context.Context, database string) (*postgresstore.Store, error) {
	s, err := OpenEmpty(ctx, database)
	if err != nil {
		return nil, err
	}
	err = s.Read(ctx, func(tx store.Reader) error {
		_, err := tx.TenantByName(datadir.DefaultTenant)
		return err
	})
	if store.IsNotFound(err) {
		err = notSetUp(database)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// OpenEmpty is OpenRecords for a database that may have no tenant.
func OpenEmpty(ctx context.Context, database string) (*postgresstore.Store, error) {
	if err := CheckDatabase(database); err != nil {
		return nil, err
	}
	s, err := postgresstore.Open(ctx, database)
	if err != nil {
		return nil, explain(database, err)
	}
	return s, nil
}

// OpenContents opens the contents at an object store address and checks that the object store
// answers. Closing the contents does not close the ledger.
func OpenContents(ctx context.Context, objects string, ledger store.Ledger) (*s3store.Store, error) {
	place, err := s3store.ParsePlace(objects)
	if err != nil {
		return nil, err
	}
	s, err := s3store.New(place, ledger)
	if err != nil {
		return nil, err
	}
	if err := s.Check(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// CheckObjects returns an error if an object store address is wrong or the object store does not
// answer. It changes nothing.
func CheckObjects(ctx context.Context, objects string) error {
	s, err := OpenContents(ctx, objects, nil) // Check does not use the ledger
	if err != nil {
		return err
	}
	return s.Close()
}

// Open opens records and contents.
func Open(ctx context.Context, database, objects string) (*postgresstore.Store, *s3store.Store, error) {
	records, err := OpenRecords(ctx, database)
	if err != nil {
		return nil, nil, err
	}
	contents, err := OpenContents(ctx, objects, records)
	if err != nil {
		return nil, nil, errors.Join(err, records.Close())
	}
	return records, contents, nil
}

func notSetUp(database string) error {
	return fmt.Errorf("%s has no records of paperfs yet. Run: paperfs admin --database %s init; if a paperfs admin copy to it was cut short, run that again instead", database, shellword.Quote(database))
}

// explain adds advice to an error of a database.
func explain(database string, err error) error {
	older, isOlder := errors.AsType[*postgresstore.OlderError](err)
	var none *pgconn.ConnectError
	switch {
	case isOlder && older.Have == 0:
		return notSetUp(database)
	case isOlder:
		return fmt.Errorf("%s: %w. Run: paperfs admin --database %s migrate", database, err, shellword.Quote(database))
	case errors.As(err, &none):
		return noConnection(database, none, err)
	}
	return fmt.Errorf("%s: %w", database, failureWords(err))
}

// noConnection explains why a database cannot be connected to.
func noConnection(database string, none *pgconn.ConnectError, err error) error {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return fmt.Errorf("%s: PostgreSQL %w: %w", database, store.ErrAway, shortened(err))
	}
	user, name := none.Config.User, none.Config.Database
	switch refused.Code {
	case "28P01", "28000": // invalid_password, invalid_authorization_specification
		how := "set PGPASSWORD, or PGPASSFILE to a file with its password"
		if os.Getenv("PGPASSWORD") != "" || os.Getenv("PGPASSFILE") != "" {
			how = "the password of PGPASSWORD or PGPASSFILE may be wrong"
		}
		return fmt.Errorf("%s: PostgreSQL refuses the user %s (%s): %s", database, user, refused.Message, how)
	case "3D000": // invalid_catalog_name
		return fmt.Errorf("%s: there is no database %s. Make it: createdb --encoding UTF8 --locale C.UTF-8 --template template0 %s", database, name, shellword.Quote(name))
	case "53300": // too_many_connections
		return fmt.Errorf("%s: PostgreSQL accepts no more connections, and each node uses up to 24: raise its max_connections: %w", database, err)
	}
	return fmt.Errorf("%s: PostgreSQL refuses the connection: %s", database, refused.Message)
}

// shortened returns the error without the lines about each address of a host.
func shortened(err error) error {
	if network := (net.Error)(nil); errors.As(err, &network) {
		return network
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(line)
}

// failureWords explains the failure of a statement, if its cause is known.
func failureWords(err error) error {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return err
	}
	switch {
	case refused.Code == "42883", strings.Contains(refused.Message, "pg_trgm"):
		if refused.Code == "42501" { // insufficient_privilege
			return fmt.Errorf("the user may not add the extension pg_trgm, which searches need. Run as a superuser of the database: CREATE EXTENSION pg_trgm (%s)", refused.Message)
		}
		return fmt.Errorf("the extension pg_trgm is missing, which searches need: install PostgreSQL's contributed modules (Debian: postgresql-contrib), and run in the database: CREATE EXTENSION pg_trgm (%s)", refused.Message)
	case refused.Code == "42501":
		return fmt.Errorf("the user may not do that: %s. It has to own the database, or at least its tables and its schema", refused.Message)
	}
	return err
}
