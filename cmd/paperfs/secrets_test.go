package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// told is all output of a run, by where it appeared.
type told map[string]string

// arguments adds the arguments of processes and of all their descendants.
func (a told) arguments(t *testing.T, pids ...string) {
	for _, pid := range pids {
		list := "/proc/" + pid + "/cmdline"
		text, _ := os.ReadFile(list) // the process may have ended
		a[list] += string(text) + "\n"
		threads := testrun.Must(filepath.Glob("/proc/" + pid + "/task/*/children"))(t)
		for _, thread := range threads {
			children, _ := os.ReadFile(thread)
			a.arguments(t, strings.Fields(string(children))...)
		}
	}
}

// TestSecretsAreNowhere runs a service, its operator and a mount, with requests that fail, and
// checks that no key, password or preview token appears in a log, an error or an argument list.
func TestSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	program := plain(t)
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			if format == "text" {
				testrun.Long(t, "is the same in the other format")
			}
			t.Parallel()
			e := newEnvironment(t)
			e.program = program
			e.compiled("data")
			service, env := e.serving("--log-format", format, "--log-level", "debug")
			key := env["PAPERFS_PASSWORD"]
			require.NotEmpty(t, key)
			other := strings.TrimSpace(e.admin("account", "add", "other"))
			secrets := map[string]string{"key": key, "other's key": other, "wrong password": "wrong-password-4711", "of a PDF": "pdf-password-4712", "bad token": "0d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a950"}
			all := told{}

			e.set("PAPERFS_URL", env["PAPERFS_URL"])
			e.set("PAPERFS_USERNAME", env["PAPERFS_USERNAME"])
			e.set("PAPERFS_PASSWORD", key)
			mount := e.mount("--log-level", "debug")
			e.must("mkdir papers/a.paper; echo 2020-01-01/2021-01-01 > papers/a.paper/publication; echo hello > media/f; echo 60 > papers/a.paper/preview")
			link := e.must("cat papers/a.paper/preview")
			token := regexp.MustCompile(`SecurityToken=([0-9a-fA-F-]{36})`).FindStringSubmatch(link)
			require.NotNil(t, token, link)
			secrets["preview token"] = token[1]
			all.arguments(t, fmt.Sprint(service.cmd.Process.Pid), fmt.Sprint(mount.cmd.Process.Pid))
			all.failingRequests(t, env, secrets)
			all.failingPDF(t, env, secrets["of a PDF"], fmt.Sprint(service.cmd.Process.Pid))

			e.admin("account", "remove", env["PAPERFS_USERNAME"])
			_, err := e.sh("mkdir papers/b.paper")
			require.Error(t, err, "the account was removed")
			for _, file := range []string{"status", "errors", "metrics", "uploads"} {
				all["mount's "+file] = e.must("cat .paperfs/" + file)
			}
			require.Contains(t, all["mount's errors"], "LOGIN_SECURITY_VIOLATION")
			for _, command := range [][]string{{"status", e.path("ipaper")}, {"why", e.path("ipaper", "papers", "b.paper")}, {"stat", e.path("ipaper", "papers", "a.paper")}} {
				_, stdout, stderr := e.run(command...)
				all["paperfs "+command[0]] = stdout + stderr
			}
			all["admin"] = e.admin("account", "list") + e.admin("tenant", "list")
			_, stdout, stderr := e.run("admin", "--data", e.path("data"), "check") // may report content that is just being removed
			all["check"] = stdout + stderr
			e.set("PAPERFS_PASSWORD", secrets["wrong password"])
			var code int
			code, stdout, stderr = e.run("mount", "--log-level", "debug", e.path("second"))
			require.Equal(t, cli.ExitHeld, code, stderr)
			all["second mount"] = stdout + stderr
			e.succeed("umount", e.path("ipaper"))
			require.Equal(t, cli.ExitOK, mount.wait(), mount.stderr)
			stranger := newEnvironment(t) // a user with no mount yet
			stranger.vars = append(stranger.vars, e.vars[len(e.vars)-4:]...)
			code, stdout, stderr = stranger.run("mount", "--log-level", "debug", stranger.path("ipaper"))
			require.Equal(t, cli.ExitRefused, code, stderr)
			all["refused mount"] = stdout + stderr
			service.signal(syscall.SIGTERM)
			require.Equal(t, cli.ExitOK, service.wait(), service.stderr)

			all["service"] = service.stdout.String() + service.stderr.String()
			all["mount"] = mount.stdout.String() + mount.stderr.String()
			require.Contains(t, all["service"], "LOGIN_SECURITY_VIOLATION")
			for who, text := range all {
				for what, secret := range secrets {
					for _, form := range []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret))} {
						require.False(t, strings.Contains(strings.ToLower(text), strings.ToLower(form)), "%s contains the %s:\n%s", who, what, text)
					}
				}
			}
		})
	}
}

// failingRequests sends requests that are refused, with secrets in right and wrong places, and records the answers.
func (a told) failingRequests(t *testing.T, env, secrets map[string]string) {
	base, user, key, wrong := env["PAPERFS_URL"], env["PAPERFS_USERNAME"], secrets["key"], secrets["wrong password"]
	form, soap, long := "application/x-www-form-urlencoded", "text/xml", strings.Repeat("x", 100_000)
	operation := "/V2/Paper.asmx/GetPaperIDFromUrl"
	for _, c := range []struct{ name, path, kind, body string }{ // a GET if kind is ""
		{"wrong password", operation, form, "url=/&plUsername=" + user + "&plPassword=" + wrong},
		{"key for a name", operation, form, "url=/&plUsername=" + key + "&plPassword=" + user},
		{"no parameter", operation, form, "plUsername=" + user + "&plPassword=" + key},
		{"broken form", operation, form, "url=%zz&plUsername=" + user + "&plPassword=" + key},
		{"too early", operation, form, "x=&url=" + long + "&plUsername=" + user + "&plPassword=" + key},
		{"no form", operation, "text/plain", key},
		{"no operation", "/V2/Paper.asmx/Nothing", form, "plPassword=" + key},
		{"in the address", operation + "?url=/&plUsername=" + user + "&plPassword=" + wrong, "", ""},
		{"no base64", "/V2/Media.asmx/UploadFile", form, "username=" + user + "&password=" + key + "&parentID=0&name=x&base64File=!"},
		{"no id", "/V2/Paper.asmx/GetAllPapers", form, "plUsername=" + user + "&plPassword=" + key + "&paperID=" + long},
		{"broken SOAP", "/V2/Paper.asmx", soap, "<Envelope><plPassword>" + key},
		{"SOAP of nothing", "/V2/Paper.asmx", soap, `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body><Nothing xmlns="http://tempuri.org/"><plPassword>` + key + `</plPassword></Nothing></Body></Envelope>`},
		{"bad token", "/a/?SecurityToken=" + secrets["bad token"], "", ""},
		{"token elsewhere", "/nothing/?SecurityToken=" + secrets["preview token"], "", ""},
		{"key elsewhere", "/media/1/x?password=" + key, "", ""},
		{"not in time", "/a/", "", ""},
	} {
		var reply *http.Response
		var err error
		if c.kind == "" {
			reply, err = http.Get(base + c.path)
		} else {
			reply, err = http.Post(base+c.path, c.kind, strings.NewReader(c.body))
		}
		require.NoError(t, err, c.name)
		var text strings.Builder
		require.NoError(t, reply.Header.Write(&text))
		_, err = io.Copy(&text, reply.Body)
		reply.Body.Close()
		require.NoError(t, err, c.name)
		require.NotContains(t, text.String(), "SUCCESS", c.name)
		a["answer: "+c.name] = text.String()
	}
}

// failingPDF makes the service process a PDF that its password does not open, and checks the worker's
// arguments while it runs.
func (a told) failingPDF(t *testing.T, env map[string]string, password, service string) {
	account := url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]}}
	ask := func(operation string, pairs ...string) string {
		form := url.Values{}
		for name, values := range account {
			form[name] = values
		}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Ripper", operation, form)
		return body
	}
	job := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(ask("ProcessPDF", "paperID", "2", "xmlOptions", "<options><password>"+password+"</password></options>",
		"base64Pdf", base64.StdEncoding.EncodeToString(pdftest.Text("one")[:200])))
	require.NotEmpty(t, job)
	require.Eventually(t, func() bool {
		a["job"] = ask("GetProcessingStatus", "jobGuid", job)
		a.arguments(t, service)
		return !strings.Contains(a["job"], "Pending")
	}, testrun.Patience(), 10*time.Millisecond)
	require.Contains(t, a["job"], "Failed")
}
