package administer

import (
	"fmt"

	"paperfs/remote"
	"paperfs/remote/service/admin"
)

var roles = map[string]remote.Role{"reader": remote.Reader, "editor": remote.Editor, "admin": remote.Admin}

func roleName(role remote.Role) string {
	for name, r := range roles {
		if r == role {
			return name
		}
	}
	return fmt.Sprint(int(role))
}

// accountJSON is the JSON form of an account.
type accountJSON struct {
	ID     int64  `json:"id"`
	Tenant string `json:"tenant"`
	Name   string `json:"name"`
	Role   string `json:"role"`
	Key    string `json:"key,omitempty"` // only if the command created it
}

func accountOf(tenant string, a admin.Account) accountJSON {
	return accountJSON{a.ID, tenant, a.Name, roleName(a.Role), a.Key}
}

// tenantJSON is the JSON form of a tenant.
type tenantJSON struct {
	ID          int64    `json:"id"`
	Name        string   `json:"name"`
	Hosts       []string `json:"hosts"`
	RootURL     string   `json:"root_url"`
	PublicURL   string   `json:"public_url"`
	Processings *int64   `json:"processings"` // null: unlimited
	Orders      bool     `json:"orders"`
	Quota       struct {
		MediaBytes *int64 `json:"media_bytes"` // null, here and below: no quota
		Papers     *int64 `json:"papers"`
		PDFMinutes *int64 `json:"pdf_minutes"`
	} `json:"quota"`
	Used struct {
		MediaBytes int64   `json:"media_bytes"`
		Papers     int64   `json:"papers"`
		PDFMinutes float64 `json:"pdf_minutes"` // in the current month
	} `json:"used"`
	Kept struct {
		Days  int64  `json:"days"`
		Bytes *int64 `json:"bytes"` // null: as many as the tenant holds
	} `json:"kept"`
}

func tenantOf(t admin.TenantSettings) tenantJSON {
	hosts := t.Hosts
	if hosts == nil {
		hosts = []string{}
	}
	j := tenantJSON{ID: t.ID, Name: t.Name, Hosts: hosts, RootURL: t.RootURL, PublicURL: t.PublicURL, Processings: t.Processings, Orders: !t.NoOrders}
	j.Quota.MediaBytes, j.Quota.Papers, j.Quota.PDFMinutes = t.Quota.MediaBytes, t.Quota.Papers, t.Quota.PDFMinutes
	j.Used.MediaBytes, j.Used.Papers, j.Used.PDFMinutes = t.Used.MediaBytes, t.Used.Papers, t.Used.PDFTime.Minutes()
	j.Kept.Days, j.Kept.Bytes = t.Keep.ForDays(), t.Keep.Bytes
	return j
}
