package store

import (
	"time"

	"paperfs/remote"
)

// Tenant is a licence: its own tree, media, accounts and limits.
type Tenant struct {
	ID   int64
	Name string
	Root int64 // node id of the root category

	Hosts     []string // host names that select it, lower case, without port
	RootURL   string   // address of the root category, begins and ends with /
	PublicURL string   // scheme, host and perhaps path that addresses in answers begin with; "" = those of the request

	Processings *int64 // PDF processings left; nil = no limit
	Orders      bool   // the licence includes the order queries
	Quota       Quota
}

// TenantReader finds tenants.
type TenantReader interface {
	// TenantByHost returns the tenant of a host name (lower case, without port),
	// else the tenant named default. Its Hosts are not filled in.
	TenantByHost(host string) (Tenant, error)
	TenantByName(name string) (Tenant, error)
	// Tenant returns the tenant of an id. Its Hosts are not filled in.
	Tenant(id int64) (Tenant, error)
	Tenants() ([]Tenant, error) // by name
	Belongings(tenant int64) (Belongings, error)
	// TenantContent visits the key of each content that a record of the tenant
	// names; one may come twice.
	TenantContent(tenant int64, visit func(key string) error) error
	// Caller is that of Store, inside a transaction.
	Caller(host, account string) (Caller, error)
	// ReadOnly reports whether the service is in a maintenance window.
	ReadOnly() (bool, error)
}

// TenantWriter changes tenants.
type TenantWriter interface {
	// AddTenant makes a tenant with an empty root category, named after it;
	// ID and Root of t are ignored. ErrTaken: the name, or one of the hosts.
	AddTenant(t Tenant) (int64, error)
	// SetTenant replaces all of the tenant t.ID but its name and root.
	SetTenant(t Tenant) error
	// DeleteTenant deletes a tenant with all that belongs to it. Its id, and
	// those of what belonged to it, are not used again.
	DeleteTenant(id int64) error
	SetReadOnly(on bool) error
}

// Account is a name that may call. Its key is kept as SHA-256 only.
type Account struct {
	ID      int64
	Tenant  int64
	Name    string
	KeyHash [32]byte
	OldKey  *OldKey // nil = none; AccountReader does not fill it in
	Role    remote.Role
}

// OldKey is the key before the last rotation, which is good for a while more.
type OldKey struct {
	Hash  [32]byte
	Until time.Time // UTC, to the second
}

// Caller is an account with its tenant, and the state of the service that it
// calls.
type Caller struct {
	Tenant   Tenant
	Account  Account // the zero Account where the tenant has none of the name
	ReadOnly bool
}

// AccountReader finds accounts.
type AccountReader interface {
	Accounts(tenant int64) ([]Account, error) // by name
	// HasKey reports whether there is an account and a key is its own, or was
	// its own before the last rotation, which left it good for a while.
	HasKey(id int64, hash [32]byte) (bool, error)
}

// AccountWriter changes accounts.
type AccountWriter interface {
	AddAccount(a Account) (int64, error) // ErrTaken: the name, within the tenant
	// SetKey sets the key of an account; old is nil where no other is valid.
	SetKey(id int64, hash [32]byte, old *OldKey) error
	DeleteAccount(tenant int64, name string) error
}
