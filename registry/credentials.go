package registry

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"oras.land/oras-go/v2/registry/remote/auth"
)

// Variables of the environment with the credentials of one registry. The host is
// part of them so that they never go to another one, whatever a command names.
const (
	EnvHost     = "PROJECT_MAP_REGISTRY"
	EnvUser     = "PROJECT_MAP_REGISTRY_USER"
	EnvPassword = "PROJECT_MAP_REGISTRY_PASSWORD"
)

// Credentials finds credentials in the environment and in the files of docker and
// podman. Nothing is read before a registry asks.
type Credentials struct {
	getenv func(string) string
	files  []string
}

// NewCredentials looks where docker and podman look, as the environment says.
func NewCredentials(getenv func(string) string) *Credentials {
	c := &Credentials{getenv: getenv}
	home := getenv("HOME")
	add := func(dir string, name ...string) {
		if filepath.IsAbs(dir) {
			c.files = append(c.files, filepath.Join(append([]string{dir}, name...)...))
		}
	}
	if f := getenv("REGISTRY_AUTH_FILE"); f != "" {
		c.files = append(c.files, f)
	}
	if dir := getenv("DOCKER_CONFIG"); dir != "" {
		c.files = append(c.files, filepath.Join(dir, "config.json"))
	} else {
		add(home, ".docker", "config.json")
	}
	add(getenv("XDG_RUNTIME_DIR"), "containers", "auth.json")
	if dir := getenv("XDG_CONFIG_HOME"); dir != "" {
		add(dir, "containers", "auth.json")
	} else {
		add(home, ".config", "containers", "auth.json")
	}
	return c
}

// found is what is known of the credentials for a repository.
type found struct {
	credential auth.Credential
	// from names their place for messages, "" where there are none.
	from string
	// helper says which program keeps them, and which file says so.
	helper string
}

// lookup finds the credentials for a repository.
func (c *Credentials) lookup(r Reference) (found, error) {
	if c == nil {
		return found{}, nil
	}
	user, password, host := c.getenv(EnvUser), c.getenv(EnvPassword), c.getenv(EnvHost)
	switch {
	case (user != "" || password != "") && host == "":
		return found{}, fmt.Errorf("%s and %s are set without %s, the host that they are for: %w", EnvUser, EnvPassword, EnvHost, ErrCredentials)
	case host != "" && strings.EqualFold(host, r.Host):
		if user == "" || password == "" {
			return found{}, fmt.Errorf("%s is set without %s and %s: %w", EnvHost, EnvUser, EnvPassword, ErrCredentials)
		}
		return found{credential: auth.Credential{Username: user, Password: password}, from: "the environment"}, nil
	}
	var helper string
	for _, name := range c.files {
		f, err := readConfig(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return found{}, err
		}
		cred, ok, err := f.credential(r)
		switch {
		case err != nil:
			return found{}, fmt.Errorf("%s: the entry for %s: %w", name, r.Host, err)
		case ok:
			return found{credential: cred, from: name}, nil
		case helper == "":
			if program := f.helper(r); program != "" {
				helper = "docker-credential-" + program + ", as " + name + " says"
			}
		}
	}
	return found{helper: helper}, nil
}

// configFile is what matters here of a file of docker or podman.
type configFile struct {
	Auths       map[string]configEntry `json:"auths"`
	Store       string                 `json:"credsStore"`
	CredHelpers map[string]string      `json:"credHelpers"`
}

type configEntry struct {
	Auth          string `json:"auth"`
	Username      string `json:"username"`
	Password      string `json:"password"`
	IdentityToken string `json:"identitytoken"`
	RegistryToken string `json:"registrytoken"`
}

// maxConfig bounds a file with credentials, in bytes.
const maxConfig = 4 << 20

// readConfig reads a file. Its text never shows in an error.
func readConfig(name string) (*configFile, error) {
	f, err := os.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, fmt.Errorf("%s cannot be read: %w", name, ErrCredentials)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil || len(data) > maxConfig {
		return nil, fmt.Errorf("%s cannot be read: %w", name, ErrCredentials)
	}
	var out configFile
	if len(strings.TrimSpace(string(data))) > 0 && json.Unmarshal(data, &out) != nil {
		return nil, fmt.Errorf("%s is not JSON of a file with credentials: %w", name, ErrCredentials)
	}
	return &out, nil
}

// credential finds the entry that fits a repository best: podman's keys may name a
// part of a registry.
func (f *configFile) credential(r Reference) (auth.Credential, bool, error) {
	best, longest := "", -1
	for _, key := range slices.Sorted(maps.Keys(f.Auths)) {
		if n := fits(key, r); n > longest && f.Auths[key] != (configEntry{}) {
			best, longest = key, n
		}
	}
	if longest < 0 {
		return auth.Credential{}, false, nil
	}
	e := f.Auths[best]
	cred := auth.Credential{Username: e.Username, Password: e.Password, RefreshToken: e.IdentityToken, AccessToken: e.RegistryToken}
	if e.Auth != "" {
		plain, err := base64.StdEncoding.DecodeString(e.Auth)
		user, password, ok := strings.Cut(string(plain), ":")
		if err != nil || !ok {
			return auth.Credential{}, false, fmt.Errorf("its auth is not base64 of USER:PASSWORD: %w", ErrCredentials)
		}
		cred.Username, cred.Password = user, strings.Trim(password, "\x00")
	}
	return cred, cred != auth.EmptyCredential, nil
}

// fits gives the length of a key that holds for a repository, -1 for one that does
// not.
func fits(key string, r Reference) int {
	place, url := strings.CutPrefix(key, "https://")
	if !url {
		place, url = strings.CutPrefix(place, "http://")
	}
	host, path, _ := strings.Cut(strings.TrimSuffix(place, "/"), "/")
	if url {
		path = "" // of an API, as in https://index.docker.io/v1/
	}
	if !slices.Contains(namesOf(r.Host), strings.ToLower(host)) || path != "" && path != r.Repository && !strings.HasPrefix(r.Repository, path+"/") {
		return -1
	}
	return len(path)
}

// namesOf are the names under which credentials of a host are kept.
func namesOf(host string) []string {
	hub := []string{"docker.io", "index.docker.io", "registry-1.docker.io"}
	if slices.Contains(hub, host) {
		return hub
	}
	return []string{host}
}

// helper is the program that keeps the credentials of a host, "" for none.
func (f *configFile) helper(r Reference) string {
	for _, key := range slices.Sorted(maps.Keys(f.CredHelpers)) {
		if fits(key, r) >= 0 {
			return f.CredHelpers[key]
		}
	}
	return f.Store
}
