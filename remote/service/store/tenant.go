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
	RootURL   string   // path of the root category's address; begins and ends with /
	PublicURL string   // scheme, host and perhaps path at the start of addresses in answers; "" = those of the request

	Processings *int64 // PDF processings left; nil = no limit
	Orders      bool   // the licence includes the order queries
	Quota       Quota
	Keep        Keep
}

// TenantReader finds tenants.
type TenantReader interface {
	// TenantByHost returns the tenant of a host name (lower case, without port), or the tenant
	// named default if no tenant has it. It does not fill in Hosts.
	TenantByHost(host string) (Tenant, error)
	TenantByName(name string) (Tenant, error)
	// Tenant returns the tenant with an id. It does not fill in Hosts.
	Tenant(id int64) (Tenant, error)
	Tenants() ([]Tenant, error) // by name
	Belongings(tenant int64) (Belongings, error)
	// TenantContent visits the key of each content that a record of the tenant names, possibly
	// more than once.
	TenantContent(tenant int64, visit func(key string) error) error
	// Caller is Store.Caller inside a transaction.
	Caller(host, account string) (Caller, error)
	// ReadOnly reports whether the service is in a maintenance window.
	ReadOnly() (bool, error)
}

// TenantWriter changes tenants.
type TenantWriter interface {
	// AddTenant creates a tenant with an empty root category of the same name. It ignores ID and
	// Root of t. ErrTaken: the name, or one of the hosts.
	AddTenant(t Tenant) (int64, error)
	// SetTenant replaces everything of tenant t.ID except its name and root.
	SetTenant(t Tenant) error
	// DeleteTenant deletes a tenant and everything that belongs to it. None of the deleted ids is
	// reused.
	DeleteTenant(id int64) error
	SetReadOnly(on bool) error
}

// Account is a name with a key that may call the service. Only the key's SHA-256 is stored.
type Account struct {
	ID      int64
	Tenant  int64
	Name    string
	KeyHash [32]byte
	OldKey  *OldKey // nil = none; AccountReader does not fill it in
	Role    remote.Role
}

// OldKey is the key before the last rotation, which stays valid until a time.
type OldKey struct {
	Hash  [32]byte
	Until time.Time // UTC, to the second
}

// Caller is an account with its tenant and the state of the service.
type Caller struct {
	Tenant   Tenant
	Account  Account // the zero Account if the tenant has no account of that name
	ReadOnly bool
	// OtherHost: the host selects no tenant, though other hosts do; so the tenant is perhaps not the one that the caller means.
	OtherHost bool
}

// AccountReader finds accounts.
type AccountReader interface {
	Accounts(tenant int64) ([]Account, error) // by name
	// HasKey reports whether the account exists and the key is valid: its current key, or the old
	// key until it expires.
	HasKey(id int64, hash [32]byte) (bool, error)
}

// AccountWriter changes accounts.
type AccountWriter interface {
	AddAccount(a Account) (int64, error) // ErrTaken: the name, within the tenant
	// SetKey sets the key of an account; old is nil if no other key is valid.
	SetKey(id int64, hash [32]byte, old *OldKey) error
	DeleteAccount(tenant int64, name string) error
}
