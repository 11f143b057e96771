package apitest

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// countingStore calls its function happens just before one of the transactions.
type countingStore struct {
	store.Store
	left    atomic.Int64 // number of transactions until happens, including the one after it
	happens func()
}

// count skips the service's own transactions, such as those of PDF processing.
func (c *countingStore) count(ctx context.Context) {
	if ctx.Value(http.ServerContextKey) != nil && c.left.Add(-1) == 0 {
		c.happens()
	}
}

func (c *countingStore) Read(ctx context.Context, f func(store.Reader) error) error {
	c.count(ctx)
	return c.Store.Read(ctx, f)
}

func (c *countingStore) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	c.count(ctx)
	return c.Store.Write(ctx, tenant, f)
}

// TestTenantThatIsRemovedMeanwhile removes a tenant between the check of a call's credentials and
// each transaction of each operation. The call must be answered like the tenant's next call, and
// leave nothing.
func TestTenantThatIsRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	counting := &countingStore{happens: func() { assert.NoError(t, administrator.RemoveTenant("acme")) }}
	s.wrapStore(func(real store.Store) store.Store {
		counting.Store = real
		return counting
	})
	var last []string // ProcessPDF runs last: when it succeeds, it leaves work in the background
	for _, c := range successes {
		if c.op == remote.ProcessPDF {
			last = c.pairs
			continue
		}
		s.removedMeanwhile(administrator, counting, c.op, c.pairs)
	}
	s.removedMeanwhile(administrator, counting, remote.ProcessPDF, last)
}

func (s *server) removedMeanwhile(administrator *admin.Admin, counting *countingStore, op *remote.Operation, pairs []string) {
	s.t.Helper()
	for transaction := int64(1); ; transaction++ {
		acme := s.tenantBy(administrator, "acme")
		own := acme.ownIDs(op, pairs)
		counting.left.Store(transaction)
		r := acme.call(op, own...)
		if counting.left.Swap(0) > 0 { // the operation has fewer transactions
			require.True(s.t, transaction > 1 || op == remote.GetSettingDescriptions, op.Name) // GetSettingDescriptions returns the same for all tenants
			require.NoError(s.t, administrator.RemoveTenant("acme"))
			return
		}
		require.Equal(s.t, remote.LoginSecurityViolation, r.code, "%s, transaction %d: %s", op.Name, transaction, r.body)
		s.keepsNothingOfOthers(op)
	}
}

// ownIDs creates the objects that an operation needs, and returns its parameters with their ids.
func (s *server) ownIDs(op *remote.Operation, pairs []string) []string {
	s.t.Helper()
	root := s.root()
	category := s.category(root, "catalogues")
	paper := s.paper(root, "spring")
	s.must(remote.AddCustomField, "name", "Season", "dataType", "string")
	if op != remote.AddCustomField {
		s.must(remote.AddCustomField, "name", "New", "dataType", "string")
	}
	ids := map[string]string{"paperID": paper, "paperId": paper, "sourcePaperID": paper, "categoryID": root, "categoryOrPaperID": root, "destinationParentID": category, "parentID": root, "url": "/spring/"}
	if op.Group == "Media" {
		ids["directoryID"] = s.must(remote.CreateDirectory, "parentID", "0", "name", "empty").element(s.t, "directoryid")
		ids["fileID"] = s.upload("0", "file", "small")
		ids["parentID"] = "0"
	}
	own := append([]string(nil), pairs...)
	for i := 0; i < len(own); i += 2 {
		if id, found := ids[own[i]]; found {
			own[i+1] = id
		}
	}
	return own
}

// keepsNothingOfOthers requires that every record of a tenant belongs to an existing one, and that
// no content is left.
func (s *server) keepsNothingOfOthers(op *remote.Operation) {
	s.t.Helper()
	driver, database := "sqlite", "file:"+s.database()+"?mode=ro&_pragma=busy_timeout(60000)"
	withTenant := `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'tenant' WHERE m.type = 'table'`
	if apart := s.place().Database(); apart != "" {
		driver, database = "pgx", apart
		withTenant = `SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant'`
	}
	db := testrun.Must(sql.Open(driver, database))(s.t)
	defer db.Close()
	rows := testrun.Must(db.QueryContext(s.t.Context(), withTenant))(s.t)
	defer rows.Close()
	var tables []string
	for rows.Next() {
		var table string
		require.NoError(s.t, rows.Scan(&table))
		tables = append(tables, table)
	}
	require.NoError(s.t, rows.Err())
	require.Contains(s.t, tables, "media_file")
	for _, table := range tables {
		var left int
		require.NoError(s.t, db.QueryRowContext(s.t.Context(), fmt.Sprintf(`SELECT count(*) FROM %q WHERE tenant NOT IN (SELECT id FROM tenant)`, table)).Scan(&left))
		require.Zero(s.t, left, "%s leaves records in %s", op.Name, table)
	}
	require.Zero(s.t, s.contents(), op.Name)
}

// TestAccountThatIsRemovedMeanwhile removes only the account, or rotates its key: an upload under
// way publishes nothing, however long it takes, unless the old key has a grace.
func TestAccountThatIsRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	counting := &countingStore{}
	s.wrapStore(func(real store.Store) store.Store {
		counting.Store = real
		return counting
	})
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}}))
	rotate := func(grace time.Duration) func() error {
		return func() error { _, err := administrator.RotateAccount("acme", "me", grace); return err }
	}
	for name, c := range map[string]struct {
		change  func() error
		refused bool
	}{
		"removed":            {func() error { return administrator.RemoveAccount("acme", "me") }, true},
		"rotated":            {rotate(0), true},
		"rotated with grace": {rotate(time.Hour), false},
	} {
		for _, size := range []int{5, 1 << 20} {
			key := testrun.Must(administrator.AddAccount("acme", "me", remote.Admin))(t)
			acme := s.as("me", key).at("acme.example")
			before := s.contents()
			counting.happens = func() { assert.NoError(t, c.change()) }
			counting.left.Store(1)
			r := acme.call(remote.UploadFile, "parentID", "0", "name", fmt.Sprint(name, size), "base64File", base64.StdEncoding.EncodeToString(make([]byte, size)))
			require.LessOrEqual(t, counting.left.Swap(0), int64(0), "the change was never made during the call")
			if c.refused {
				require.Equal(t, remote.LoginSecurityViolation, r.code, "%s: %s", name, r.body)
				require.Equal(t, before, s.contents(), name)
			} else {
				require.Equal(t, remote.Success, r.code, "%s: %s", name, r.body)
			}
			if name != "removed" {
				require.NoError(t, administrator.RemoveAccount("acme", "me"))
			}
		}
	}
}
