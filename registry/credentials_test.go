package registry

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"oras.land/oras-go/v2/registry/remote/auth"
)

// environment is one for tests, with files of credentials in a home of its own.
func environment(t *testing.T, vars map[string]string, files map[string]string) *Credentials {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		name = filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return NewCredentials(func(name string) string {
		if name == "HOME" {
			return home
		}
		return strings.ReplaceAll(vars[name], "~", home)
	})
}

func basic(user, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
}

func TestLookup(t *testing.T) {
	ref := func(s string) Reference {
		r, err := ParseReference(s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	docker, podman := ".docker/config.json", ".config/containers/auth.json"
	for _, c := range []struct {
		name  string
		vars  map[string]string
		files map[string]string
		ref   string
		want  auth.Credential
		from  string
		help  string
		err   string
	}{
		{name: "nothing", ref: "oci://h/a"},
		{name: "docker", files: map[string]string{docker: `{"auths":{"h":{"auth":"` + basic("u", "p:q") + `"},"other":{"auth":"!"}}}`}, ref: "oci://h/a",
			want: auth.Credential{Username: "u", Password: "p:q"}, from: "config.json"},
		{name: "another host", files: map[string]string{docker: `{"auths":{"h":{"auth":"` + basic("u", "p") + `"}}}`}, ref: "oci://h.x/a"},
		{name: "another port", files: map[string]string{docker: `{"auths":{"h":{"auth":"` + basic("u", "p") + `"}}}`}, ref: "oci://h:5000/a"},
		{name: "as an address", files: map[string]string{docker: `{"auths":{"https://H/v2/":{"username":"u","password":"p"}}}`}, ref: "oci://h/a",
			want: auth.Credential{Username: "u", Password: "p"}, from: "config.json"},
		{name: "the hub", files: map[string]string{docker: `{"auths":{"https://index.docker.io/v1/":{"username":"u","password":"p"}}}`}, ref: "oci://docker.io/o/a",
			want: auth.Credential{Username: "u", Password: "p"}, from: "config.json"},
		{name: "tokens", files: map[string]string{docker: `{"auths":{"h":{"auth":"` + basic("<token>", "") + `","identitytoken":"i"}}}`}, ref: "oci://h/a",
			want: auth.Credential{Username: "<token>", RefreshToken: "i"}, from: "config.json"},
		{name: "podman, the closest", files: map[string]string{podman: `{"auths":{"h":{"auth":"` + basic("u", "1") + `"},"h/o":{"auth":"` + basic("u", "2") + `"},"h/other":{"auth":"` + basic("u", "3") + `"}}}`},
			ref: "oci://h/o/a", want: auth.Credential{Username: "u", Password: "2"}, from: "auth.json"},
		{name: "no part of a name", files: map[string]string{podman: `{"auths":{"h/o":{"auth":"` + basic("u", "2") + `"}}}`}, ref: "oci://h/other"},
		{name: "the file that is named first", vars: map[string]string{"REGISTRY_AUTH_FILE": "~/mine.json"},
			files: map[string]string{docker: `{"auths":{"h":{"username":"u","password":"1"}}}`, "mine.json": `{"auths":{"h":{"username":"u","password":"2"}}}`},
			ref:   "oci://h/a", want: auth.Credential{Username: "u", Password: "2"}, from: "mine.json"},
		{name: "DOCKER_CONFIG", vars: map[string]string{"DOCKER_CONFIG": "~/d"}, files: map[string]string{docker: `{"auths":{"h":{"username":"u","password":"1"}}}`, "d/config.json": `{"auths":{}}`}, ref: "oci://h/a"},
		{name: "a helper for all", files: map[string]string{docker: `{"auths":{"h":{}},"credsStore":"desktop"}`}, ref: "oci://h/a", help: "docker-credential-desktop"},
		{name: "a helper for one", files: map[string]string{docker: `{"credHelpers":{"h":"gcr","x":"ecr"},"credsStore":"desktop"}`}, ref: "oci://h/a", help: "docker-credential-gcr"},
		{name: "a helper, and a file that knows", files: map[string]string{docker: `{"credsStore":"desktop"}`, podman: `{"auths":{"h":{"username":"u","password":"p"}}}`}, ref: "oci://h/a",
			want: auth.Credential{Username: "u", Password: "p"}, from: "auth.json"},
		{name: "the environment", vars: map[string]string{EnvHost: "H", EnvUser: "u", EnvPassword: "p"}, files: map[string]string{docker: `{"auths":{"h":{"username":"x","password":"x"}}}`}, ref: "oci://h/a",
			want: auth.Credential{Username: "u", Password: "p"}, from: "the environment"},
		{name: "the environment of another host", vars: map[string]string{EnvHost: "h2", EnvUser: "u", EnvPassword: "p"}, ref: "oci://h/a"},
		{name: "the environment without a host", vars: map[string]string{EnvUser: "u", EnvPassword: "pass"}, ref: "oci://h/a", err: "without PROJECT_MAP_REGISTRY"},
		{name: "the environment without a password", vars: map[string]string{EnvHost: "h", EnvUser: "u"}, ref: "oci://h/a", err: "is set without"},
		{name: "no JSON", files: map[string]string{docker: `{"auths":{"h":{"password":"pass`}, ref: "oci://h/a", err: "config.json is not JSON"},
		{name: "no base64", files: map[string]string{docker: `{"auths":{"h":{"auth":"pass!"}}}`}, ref: "oci://h/a", err: "config.json: the entry for h"},
		{name: "a directory", files: map[string]string{docker + "/x": ``}, ref: "oci://h/a", err: "cannot be read"},
		{name: "an empty file", files: map[string]string{docker: ``}, ref: "oci://h/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := environment(t, c.vars, c.files).lookup(ref(c.ref))
			if c.err != "" {
				if !errors.Is(err, ErrCredentials) || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "pass!") || strings.Contains(err.Error(), `"pass`) {
					t.Errorf("%v, want %q", err, c.err)
				}
				return
			}
			if err != nil || got.credential != c.want || !strings.HasSuffix(got.from, c.from) || (c.from == "") != (got.from == "") || !strings.HasPrefix(got.helper, c.help) || (c.help == "") != (got.helper == "") {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// TestAccess: credentials reach the registry that they are for, by both schemes,
// and errors say which were refused without repeating them.
func TestAccess(t *testing.T) {
	const password = "pass-word-1"
	for _, bearer := range []bool{false, true} {
		s := start(t)
		s.Protect("user-name", password, bearer)
		a := sampleArtifact(2000)
		try := func(vars map[string]string, files map[string]string) error {
			c := newClient(Options{Credentials: environment(t, vars, files)}, quick())
			if _, err := c.Push(context.Background(), at(t, s, "m"), []string{"t"}, a); err != nil {
				return err
			}
			_, err := c.Pull(context.Background(), at(t, s, "m:t"), PullOptions{Signature: true})
			return err
		}
		env := func(password string) map[string]string {
			return map[string]string{EnvHost: s.Host(), EnvUser: "user-name", EnvPassword: password}
		}
		file := func(entry string) map[string]string {
			return map[string]string{".docker/config.json": fmt.Sprintf(`{"auths":{%q:%s}}`, s.Host(), entry)}
		}
		for name, c := range map[string]struct {
			err  error
			want error
			says string
		}{
			"none":                    {try(nil, nil), ErrUnauthorized, "there are no credentials for 127.0.0.1"},
			"wrong ones":              {try(env("wrong-word"), nil), ErrUnauthorized, "to the credentials of the environment"},
			"wrong ones in a file":    {try(nil, file(`{"username":"user-name","password":"wrong-word"}`)), ErrUnauthorized, ".docker/config.json"},
			"a helper":                {try(nil, map[string]string{".docker/config.json": `{"credsStore":"desktop"}`}), ErrHelper, "docker-credential-desktop, as "},
			"a damaged file":          {try(nil, map[string]string{".docker/config.json": `{`}), ErrCredentials, "is not JSON"},
			"the right ones":          {try(env(password), nil), nil, ""},
			"the right ones in files": {try(nil, file(`{"auth":"`+basic("user-name", password)+`"}`)), nil, ""},
		} {
			if !errors.Is(c.err, c.want) || c.err != nil && !strings.Contains(c.err.Error(), c.says) {
				t.Errorf("bearer %v, %s: %v, want %v", bearer, name, c.err, c.want)
			}
			if c.err != nil && (strings.Contains(c.err.Error(), "-word") || strings.Contains(c.err.Error(), "said")) {
				t.Errorf("bearer %v, %s: the error repeats a secret: %v", bearer, name, c.err)
			}
		}
	}
}

// TestCredentialsStay: credentials go to no other host, port or repository's
// storage that a registry sends the client to.
func TestCredentialsStay(t *testing.T) {
	for _, bearer := range []bool{false, true} {
		for _, host := range []string{"127.0.0.1", "localhost"} { // the same name with another port, and another name
			s, elsewhere := start(t), start(t)
			s.Protect("user-name", "pass-word", bearer)
			a := sampleArtifact(2000)
			c := newClient(Options{Credentials: environment(t, map[string]string{EnvHost: s.Host(), EnvUser: "user-name", EnvPassword: "pass-word"}, nil)}, quick())
			if _, err := c.Push(context.Background(), at(t, s, "m"), []string{"t"}, a); err != nil {
				t.Fatal(err)
			}
			elsewhere.PutBlob(a.Archive)
			_, port, _ := strings.Cut(elsewhere.Host(), ":")
			s.Fault(func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.Contains(r.URL.Path, "/blobs/") || r.Header.Get("Authorization") == "" {
					return false
				}
				http.Redirect(w, r, "http://"+host+":"+port+r.URL.Path, http.StatusTemporaryRedirect)
				return true
			})
			if _, err := c.Pull(context.Background(), at(t, s, "m:t"), PullOptions{}); err != nil {
				t.Errorf("%s: a layer that is elsewhere: %v", host, err)
			}
			// Nor where the other one asks for them.
			elsewhere.Protect("user-name", "pass-word", bearer)
			if _, err := c.Pull(context.Background(), at(t, s, "m:t"), PullOptions{}); !errors.Is(err, ErrUnauthorized) {
				t.Errorf("%s: a layer that is elsewhere and protected: %v", host, err)
			}
			asked := elsewhere.Requests()
			if len(asked) < 2 {
				t.Errorf("%s was asked %d times", host, len(asked))
			}
			for _, r := range asked {
				if r.Authorization != "" {
					t.Errorf("%s got %q with %s %s", host, r.Authorization, r.Method, r.Path)
				}
			}
		}
	}
}
