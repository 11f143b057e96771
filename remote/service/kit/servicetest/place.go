package servicetest

import (
	"context"
	"os"
	"sync"
	"testing"

	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/s3store"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// Engine is the environment variable that makes tests use other engines than a data directory.
const Engine = "PAPERFS_TEST_STORE"

// Place is where a test keeps the data of a service: everything in a data directory or, with
// PAPERFS_TEST_STORE=postgres in the environment, the records in PostgreSQL and the content in an
// object store. With PAPERFS_TEST_STORE=nodes, a Fixture starts two services on these.
type Place struct {
	Data              string
	database, objects string // addresses; "" = in Data
	twoNodes          bool   // a Fixture starts two services
}

// places are known by their Data: a test may serve the same data again.
var places sync.Map

// In returns the place of a data directory. External data is removed at the end of the test that
// first asks for the place.
func In(t testing.TB, data string) *Place {
	t.Helper()
	if known, ok := places.Load(data); ok {
		return known.(*Place)
	}
	p := &Place{Data: data}
	if engine := os.Getenv(Engine); engine != "" {
		p.useEngines(t, engine == "nodes")
	}
	p.register(t)
	return p
}

func (p *Place) register(t testing.TB) {
	places.Store(p.Data, p)
	t.Cleanup(func() { places.Delete(p.Data) })
}

// useEngines puts the place into PostgreSQL and an object store.
func (p *Place) useEngines(t testing.TB, two bool) {
	t.Helper()
	p.twoNodes = two
	p.database, p.objects = enginetest.Database(t), enginetest.SharedObjectStore(t).AddressBeside(t)
}

// Embedded skips a test that requires a data directory if the place is not in one.
func (p *Place) Embedded(t testing.TB, why string) {
	t.Helper()
	if p.database != "" {
		t.Skip("this test needs a data directory: " + why)
	}
}

// Counted puts the place into PostgreSQL and an object store, which must happen before it is
// opened, and counts the traffic to PostgreSQL.
func (p *Place) Counted(t testing.TB) *enginetest.Counter {
	t.Helper()
	if p.database == "" {
		p.useEngines(t, false)
	}
	c, err := enginetest.NewCounter(p.database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	p.database = c.Address()
	return c
}

// Apart opens the external data and does what the first start does in a data directory. It
// returns nil if everything is in the data directory.
func (p *Place) Apart(t testing.TB) *service.Apart {
	t.Helper()
	if p.database == "" {
		return nil
	}
	s := p.postgres(t)
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := datadir.FirstStart(context.Background(), s, p.Data); err != nil {
		t.Fatal(err)
	}
	return p.node(t, s, "test")
}

// node returns the external data as one service opens it.
func (p *Place) node(t testing.TB, s *postgresstore.Store, name string) *service.Apart {
	return &service.Apart{Store: s, Contents: p.content(t, s), Node: name}
}

func (p *Place) postgres(t testing.TB) *postgresstore.Store {
	t.Helper()
	s, err := postgresstore.Open(context.Background(), p.database)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (p *Place) content(t testing.TB, ledger store.Ledger) *s3store.Store {
	t.Helper()
	at, err := s3store.ParsePlace(p.objects)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s3store.New(at, ledger)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Beside opens the records in addition to the service. They are closed at the end of the test.
func (p *Place) Beside(t testing.TB) store.Store {
	t.Helper()
	var s store.Store
	if p.database != "" {
		s = p.postgres(t)
	} else {
		db, err := sqlitestore.OpenExisting(context.Background(), p.Data+"/"+datadir.DatabaseFile)
		if err != nil {
			t.Fatal(err)
		}
		s = db
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Admin opens the place like the admin command. It is closed at the end of the test.
func (p *Place) Admin(t testing.TB) *admin.Admin {
	t.Helper()
	if p.database != "" {
		s := p.postgres(t)
		c := p.content(t, s)
		m := admin.Apart(s, c, p.Data)
		t.Cleanup(func() { m.Close(); c.Close() })
		return m
	}
	m, err := admin.Open(p.Data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// Generate fills the tenant default, beside the service.
func (p *Place) Generate(t testing.TB, spec generate.Spec) {
	t.Helper()
	if _, err := generate.Fill(p.Beside(t), spec, "default"); err != nil {
		t.Fatal(err)
	}
}

// Database returns the address of the records if they are in PostgreSQL.
func (p *Place) Database() string { return p.database }
