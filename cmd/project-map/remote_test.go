package main

import (
	"encoding/pem"
	"os"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/project-map/project-map/registry/registrytest"
)

// registries are those of a script, by the variable that holds their host.
type registries map[string]*registrytest.Server

type registriesKey struct{}

func addRegistries(e *testscript.Env) {
	all := registries{}
	e.Values[registriesKey{}] = all
	e.Defer(func() {
		for _, s := range all {
			s.Close()
		}
	})
}

// registry start NAME [CERTIFICATE] starts a registry in memory, with TLS if its
// certificate is wanted in a file, and sets the variable NAME to its host;
// registry stop NAME ends it;
// registry protect NAME USER PASSWORD [bearer] makes it ask for credentials;
// registry asked NAME N checks how many requests came since the last check.
func registryCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: registry start|stop|protect|asked name [arg...]")
	}
	all := ts.Value(registriesKey{}).(registries)
	verb, name, rest := args[0], args[1], args[2:]
	s := all[name]
	if (s == nil) != (verb == "start") {
		ts.Fatalf("registry %s: it is there already, or not yet", name)
	}
	switch {
	case verb == "start" && len(rest) <= 1:
		s = registrytest.New(len(rest) == 1)
		all[name] = s
		ts.Setenv(name, s.Host())
		if len(rest) == 1 {
			text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
			ts.Check(os.WriteFile(ts.MkAbs(rest[0]), text, 0o600))
		}
	case verb == "stop" && len(rest) == 0:
		s.Close()
		delete(all, name)
	case verb == "protect" && len(rest) >= 2:
		s.Protect(rest[0], rest[1], len(rest) == 3)
	case verb == "asked" && len(rest) == 1:
		want, err := strconv.Atoi(rest[0])
		ts.Check(err)
		if got := s.Requests(); len(got) != want {
			ts.Fatalf("it was asked %d times: %+v", len(got), got)
		}
	default:
		ts.Fatalf("registry: unknown verb or arguments")
	}
}
