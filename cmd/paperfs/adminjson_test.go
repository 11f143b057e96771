package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// json runs an admin command with --json and returns its value, with numbers as
// float64.
func (e *environment) json(args ...string) any {
	e.t.Helper()
	text := e.admin(append(args, "--json")...)
	var v any
	require.NoError(e.t, json.Unmarshal([]byte(text), &v), text)
	return v
}

func TestEveryAdminCommandSpeaksJSON(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	type object = map[string]any
	acme := object{"id": 2.0, "name": "acme", "hosts": []any{"acme.example"}, "root_url": "/", "public_url": "", "processings": nil, "orders": true}
	require.Subset(t, e.json("tenant", "add", "acme", "--host", "acme.example"), acme)
	acme["processings"] = 5.0
	require.Subset(t, e.json("tenant", "set", "acme", "--processings", "5"), acme)
	tenants := e.json("tenant", "list").([]any)
	require.Len(t, tenants, 2)
	require.Subset(t, tenants[0], acme)
	require.Subset(t, tenants[1], object{"name": "default", "hosts": []any{}})

	made := e.json("account", "add", "me", "--tenant", "acme", "--role", "reader").(object)
	require.Regexp(t, `^[0-9a-f]{64}$`, made["key"])
	require.Equal(t, object{"id": 2.0, "tenant": "acme", "name": "me", "role": "reader", "key": made["key"]}, made)
	rotated := e.json("account", "rotate", "me", "--tenant", "acme").(object)
	require.NotEqual(t, made["key"], rotated["key"])
	require.Equal(t, 2.0, rotated["id"])
	me := object{"id": 2.0, "tenant": "acme", "name": "me", "role": "reader"}
	require.Equal(t, []any{me}, e.json("account", "list", "--tenant", "acme"))
	require.Equal(t, me, e.json("account", "remove", "me", "--tenant", "acme"))
	require.Equal(t, []any{}, e.json("account", "list", "--tenant", "acme"))

	require.Equal(t, 2.0, e.json("tenant", "remove", "acme", "--yes").(object)["id"])
	require.Equal(t, object{"readonly": true}, e.json("readonly", "on"))
	require.Contains(t, root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"]), "SUCCESS")
	require.Equal(t, object{"readonly": false}, e.json("readonly", "off"))
	file := testrun.Must(filepath.Abs("../../remote/service/testdata/import.xml"))(t)
	require.Greater(t, e.json("import", file).(object)["papers"], 0.0)
	require.Subset(t, e.json("backup", e.path("backup")), object{"there": 0.0, "missing": []any{}})
	require.Subset(t, e.json("check"), object{"faults": []any{}, "orphans": []any{}})
	require.True(t, strings.HasPrefix(e.admin("check"), "checked contents"), "without --json, the output is text")
}
