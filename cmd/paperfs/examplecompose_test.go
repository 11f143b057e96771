package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/testrun"
)

const composeFolder = "../../examples/compose"

// composed is what compose.yaml says of a container.
type composed struct {
	Image string
	Build struct {
		Context, Dockerfile string
		Inline              string `yaml:"dockerfile_inline"`
	}
	Command     []string
	Environment map[string]string
	Volumes     []string
	Networks    map[string]struct {
		Address string `yaml:"ipv4_address"`
	}
}

// compose returns the containers of compose.yaml, with SECRET in place of the variable.
func compose(t *testing.T) map[string]composed {
	t.Helper()
	text := regexp.MustCompile(`\$\{SECRET:\?[^}]*\}`).ReplaceAllString(string(read(t, composeFolder, "compose.yaml")), "SECRET")
	require.NotContains(t, text, "${")
	var file struct{ Services map[string]composed }
	require.NoError(t, yaml.Unmarshal([]byte(text), &file))
	require.Len(t, file.Services, 6)
	return file.Services
}

// TestComposeNamesWhatExists checks the parts of compose.yaml against each other and against this folder.
func TestComposeNamesWhatExists(t *testing.T) {
	t.Parallel()
	all := compose(t)
	node, records, objects := all["one"], all["records"], all["objects"]
	require.FileExists(t, filepath.Join(composeFolder, node.Build.Context, node.Build.Dockerfile))
	require.Equal(t, strings.NewReplacer("two", "one").Replace(strings.Join(all["two"].Command, " ")), strings.Join(node.Command, " "), "nodes have the same flags")
	require.Equal(t, all["door"].Networks["default"].Address, after(t, node.Command, "--trusted-proxies"))
	require.Contains(t, string(read(t, composeFolder, node.Build.Context, node.Build.Dockerfile)), `"health", "`+after(t, node.Command, "--admin-listen")+`"`)
	require.Equal(t, "postgres://"+records.Environment["POSTGRES_USER"]+"@records/"+records.Environment["POSTGRES_DB"]+"?sslmode=disable", after(t, node.Command, "--database"))
	require.Equal(t, "s3+http://objects"+after(t, objects.Command, "--port")+"/papers/one", after(t, node.Command, "--objects"))
	require.Equal(t, objects.Environment["ROOT_ACCESS_KEY"], node.Environment["AWS_ACCESS_KEY_ID"])
	for _, of := range [][2]string{{records.Environment["POSTGRES_PASSWORD"], node.Environment["PGPASSWORD"]}, {objects.Environment["ROOT_SECRET_KEY"], node.Environment["AWS_SECRET_ACCESS_KEY"]}} {
		require.Equal(t, [2]string{"SECRET", "SECRET"}, of)
	}
	tested := regexp.MustCompile(`github\.com/versity/versitygw/cmd/versitygw@\S+`)
	require.Equal(t, tested.FindString(string(read(t, "../../.ci/run"))), tested.FindString(objects.Build.Inline), "the object store is the one of the tests")
	require.Contains(t, objects.Build.Inline, "mkdir -p /objects/papers\n")
	for _, volume := range all["door"].Volumes {
		if here, ok := strings.CutPrefix(strings.Split(volume, ":")[0], "./"); ok && !strings.HasPrefix(here, "secret/") { // up makes these
			require.FileExists(t, filepath.Join(composeFolder, here))
		}
	}
}

// after returns the word after another one.
func after(t *testing.T, words []string, flag string) string {
	t.Helper()
	for i, word := range words {
		if word == flag && i+1 < len(words) {
			return words[i+1]
		}
	}
	t.Fatalf("%v has no %s", words, flag)
	return ""
}

// copied copies a folder of examples/, so that a script may write there.
func (e *environment) copied(folder string) string {
	e.t.Helper()
	at := e.path(folder)
	require.NoError(e.t, os.CopyFS(at, os.DirFS(filepath.Join("../../examples", folder))))
	require.NoError(e.t, os.Chmod(filepath.Join(at, "up"), 0o700))
	return at
}

// up runs the example's script, with a program that prints its arguments in place of docker compose.
func (e *environment) up(folder, name string) string {
	e.t.Helper()
	testrun.Program(e.t, "openssl")
	e.set("COMPOSE", "echo compose")
	p := e.launch(programtest.Command(e.t, 0, filepath.Join(folder, "up"), name, "--detach"))
	require.Zero(e.t, p.wait(), p.stderr)
	return p.stdout.String()
}

// TestTheStartOfTheExampleMakesItsSecretsOnce checks the script that starts the containers.
func TestTheStartOfTheExampleMakesItsSecretsOnce(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	folder := e.copied("compose")
	require.Equal(t, "compose --env-file secret/env up --detach\n", e.up(folder, "papers.example"))
	secret, certificate := read(t, folder, "secret/env"), read(t, folder, "secret/cert.pem")
	require.Regexp(t, `^SECRET=[0-9a-f]{48}\n$`, string(secret))
	for _, name := range []string{"env", "key.pem"} {
		require.EqualValues(t, 0o600, testrun.Must(os.Stat(filepath.Join(folder, "secret", name)))(t).Mode().Perm())
	}
	e.up(folder, "papers.example")
	require.Equal(t, secret, read(t, folder, "secret/env"))
	require.Equal(t, certificate, read(t, folder, "secret/cert.pem"))
}

// TestThePartsOfComposeWorkTogether runs what compose.yaml runs, without containers, with names and places of this machine. A mount
// publishes through nginx and TLS to two nodes that share PostgreSQL and versitygw.
func TestThePartsOfComposeWorkTogether(t *testing.T) {
	testrun.Long(t, "runs nodes on PostgreSQL and an object store")
	e := newEnvironment(t)
	versitygw, nginx := testrun.Program(t, "versitygw"), testrun.Program(t, "nginx", "/usr/sbin/nginx")
	database, folder := enginetest.EmptyDatabase(t), e.copied("compose")
	objects := "127.0.0.2:" + freePort() // where no other test's object store can take the port
	one, two, port := "127.0.0.1:"+freePort(), "127.0.0.1:"+freePort(), freePort()
	e.up(folder, "localhost")
	containers := compose(t)
	for _, container := range []string{"objects", "one"} {
		for name, value := range containers[container].Environment {
			e.set(name, value)
		}
	}
	here := func(container, address string) (words []string) {
		places := strings.NewReplacer("postgres://papers@records/papers?sslmode=disable", database, "//objects:7070", "//"+objects, ":7070", objects, ":8080", address,
			"/objects", e.path("objects"), "/tmp/", e.path(container)+"-", "10.89.7.2", "127.0.0.1")
		for _, word := range containers[container].Command {
			words = append(words, places.Replace(word))
		}
		return words
	}
	require.NoError(t, os.MkdirAll(e.path("objects/papers"), 0o700))
	e.launch(programtest.Command(t, 0, versitygw, here("objects", "")[1:]...))
	require.Eventually(t, func() bool { return listens(objects) }, testrun.Patience(), 10*time.Millisecond)
	key := strings.TrimSpace(e.succeed(here("init", "")...))
	require.Len(t, key, 64)
	require.Empty(t, e.succeed(here("init", "")...), "it runs at each start")
	e.start(here("one", one)...).says("paperfs: serving ")
	e.start(here("two", two)...).says("paperfs: serving ")

	places := strings.NewReplacer("one:8080", one, "two:8080", two, "listen 443", "listen 127.0.0.1:"+port, "/etc/nginx/", folder+"/secret/",
		"http {\n", "http {\n  access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;\n")
	require.NoError(t, os.WriteFile(e.path("nginx.conf"), []byte(places.Replace(string(read(t, folder, "nginx.conf")))), 0o600))
	door := e.launch(programtest.Command(t, 0, nginx, "-p", e.home, "-e", "stderr", "-c", e.path("nginx.conf"),
		"-g", "daemon off; master_process off; pid "+e.path("nginx.pid")+"; error_log stderr;"))
	require.Eventually(t, func() bool { return listens("127.0.0.1:" + port) }, testrun.Patience(), 10*time.Millisecond, "%s", door.stderr)
	e.set("PAPERFS_URL", "https://localhost:"+port)
	e.set("PAPERFS_USERNAME", "APIKey")
	e.set("PAPERFS_PASSWORD", key)
	e.mount("--ca-file", filepath.Join(folder, "secret/cert.pem"), "--rpm", "0")
	e.must("mkdir papers/A.paper && head -c 3000000 /dev/urandom > media/large && cp media/large ..")
	require.NotEmpty(t, e.must("find ../objects/papers/one -size +2M"), "the content is in the object store")
	e.succeed("umount", e.path("ipaper"))
	require.NoError(t, os.RemoveAll(e.path(".cache")))
	e.mount("--ca-file", filepath.Join(folder, "secret/cert.pem"), "--rpm", "0")
	e.must("cmp media/large ../large && cat papers/A.paper/url")
	e.succeed("umount", e.path("ipaper"))
}
