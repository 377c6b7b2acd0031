package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/project-map/project-map/mapgen/safefs"
)

// serverName is the name of the server in the configuration of a client.
const serverName = "project-map"

// mcpClient is a program that starts "project-map mcp" and how it is told to.
type mcpClient struct {
	kind, title string
	// path is the client's configuration in a repository.
	path string
	// section is the JSON object that holds the servers; "" for TOML.
	section string
	entry   []field
	// next is what remains to be done, in words.
	next string
}

// field is a member of a server's entry: a string, or an array of strings.
type field struct {
	name  string
	value any
}

// The files are meant to be committed, so that the program is found on the PATH.
// Editors start servers in any directory and are told the repository; the others
// start them where they run. Claude Code and Codex show their model structured
// content in place of the text, at several times its tokens: so there is none.
var mcpClients = []mcpClient{
	{"claude", "Claude Code", ".mcp.json", "mcpServers",
		[]field{{"type", "stdio"}, {"command", "project-map"}, {"args", textMCP()}}, "Claude Code asks once whether to trust the servers of the project; project-map has to be on PATH."},
	{"codex", "Codex", ".codex/config.toml", "",
		[]field{{"command", "project-map"}, {"args", textMCP()}}, "Codex reads it in projects that you trust; project-map has to be on PATH."},
	{"cursor", "Cursor", ".cursor/mcp.json", "mcpServers",
		[]field{{"type", "stdio"}, {"command", "project-map"}, {"args", textMCP("--repo", "${workspaceFolder}")}}, "Switch the server on in Cursor's settings; project-map has to be on PATH."},
	{"vscode", "Visual Studio Code", ".vscode/mcp.json", "servers",
		[]field{{"type", "stdio"}, {"command", "project-map"}, {"args", textMCP("--repo", "${workspaceFolder}")}}, "Start the server from the editor's list of MCP servers; project-map has to be on PATH."},
	{"gemini", "Gemini CLI", ".gemini/settings.json", "mcpServers",
		[]field{{"command", "project-map"}, {"args", textMCP()}}, "Gemini CLI reads it in folders that you trust; project-map has to be on PATH."},
}

// textMCP are the arguments of a server for agents.
func textMCP(options ...string) []string { return append(options, "mcp", "--text-only") }

// clientKinds are the arguments of init that stand for a client.
func clientKinds() (kinds []string) {
	for _, c := range mcpClients {
		kinds = append(kinds, c.kind)
	}
	return kinds
}

// client writes the configuration of a client.
func (in *installer) client(kind string) error {
	change, err := writeClient(kind, in.work.out)
	if err != nil {
		return err
	}
	switch change.Outcome {
	case clientWritten:
		in.done = append(in.done, "wrote "+change.Path)
	case clientMerged:
		in.done = append(in.done, "added the server to "+change.Path)
	case clientKept:
		in.done = append(in.done, "left "+change.Path)
	default:
		in.done = append(in.done, change.Path+" is up to date")
	}
	if change.Note != "" {
		in.next = append(in.next, change.Note)
	}
	return nil
}

// dropClients removes the server from the configurations of all clients.
func (in *installer) dropClients() error {
	var errs []error
	for _, kind := range clientKinds() {
		change, err := removeClient(kind, in.work.out)
		switch {
		case elsewhere(err):
		case err != nil:
			errs = append(errs, err)
		case change.Outcome == clientRemoved:
			in.done = append(in.done, "removed the server from "+change.Path)
		case change.Outcome == clientKept:
			in.done = append(in.done, "left "+change.Path+": "+change.Note)
		}
	}
	return errors.Join(errs...)
}

// clientOutcome is what became of a client's configuration.
type clientOutcome string

const (
	clientWritten   clientOutcome = "written"   // the file is new
	clientMerged    clientOutcome = "merged"    // the entry was added to a file
	clientUnchanged clientOutcome = "unchanged" // the entry was there; or there was none to remove
	clientKept      clientOutcome = "kept"      // there is an entry that init did not write
	clientRemoved   clientOutcome = "removed"   // the entry, and the file if it held nothing else
)

// clientChange tells what was done.
type clientChange struct {
	Path    string // in the repository
	Outcome clientOutcome
	// Note is for people, "" where there is nothing to say.
	Note string
}

// errClientConfig says that a client's configuration cannot be edited.
var errClientConfig = errors.New("cannot be edited without a loss")

func clientOf(kind string) (mcpClient, error) {
	for _, c := range mcpClients {
		if c.kind == kind {
			return c, nil
		}
	}
	return mcpClient{}, usagef("there is no client %q%s; give one of %s", kind, didYouMean(kind, clientKinds()), strings.Join(clientKinds(), ", "))
}

// writeClient adds the server to a client's configuration in the repository at
// root. Every other byte of the file stays; a file in which that cannot be done
// is refused, with what to add by hand.
func writeClient(kind, root string) (clientChange, error) {
	return editClient(kind, root, func(c mcpClient, text []byte) ([]byte, clientOutcome, error) {
		if len(bytes.TrimSpace(text)) == 0 {
			return []byte(c.file()), clientWritten, nil
		}
		edit := c.addJSON
		if c.section == "" {
			edit = c.addTOML
		}
		out, outcome, err := edit(text)
		if err != nil {
			return nil, "", withHint(fmt.Errorf("%s %w: %w", c.path, errClientConfig, err), "add by hand:\n%s", c.file())
		}
		return out, outcome, nil
	})
}

// removeClient takes away what writeClient wrote, so that the file is what it
// was before; an entry that was changed since stays.
func removeClient(kind, root string) (clientChange, error) {
	return editClient(kind, root, func(c mcpClient, text []byte) ([]byte, clientOutcome, error) {
		switch {
		case !bytes.Contains(text, []byte(serverName)):
			return text, clientUnchanged, nil
		case string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) == c.file():
			return nil, clientRemoved, nil
		}
		edit := c.dropJSON
		if c.section == "" {
			edit = c.dropTOML
		}
		out, outcome, err := edit(text)
		if err != nil {
			return nil, "", withHint(fmt.Errorf("%s %w: %w", c.path, errClientConfig, err), "take the entry %q out by hand", serverName)
		}
		return out, outcome, nil
	})
}

// editClient reads a configuration, nil if there is none, and writes what edit
// makes of it; nil removes the file.
func editClient(kind, root string, edit func(mcpClient, []byte) ([]byte, clientOutcome, error)) (clientChange, error) {
	c, err := clientOf(kind)
	if err != nil {
		return clientChange{}, err
	}
	change := clientChange{Path: c.path}
	dir, err := safefs.OpenRoot(root)
	if err != nil {
		return change, err
	}
	defer dir.Close()
	text, err := dir.ReadFile(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = nil
	case err != nil:
		return change, err
	case text == nil:
		text = []byte{}
	}
	var out []byte
	if out, change.Outcome, err = edit(c, text); err != nil {
		return change, err
	}
	switch change.Outcome {
	case clientWritten, clientMerged:
		if above := path.Dir(c.path); above != "." {
			if err := dir.MkdirAll(above); err != nil {
				return change, err
			}
		}
		change.Note = c.next
		_, err = dir.WriteFile(c.path, out)
	case clientRemoved:
		if out != nil {
			_, err = dir.WriteFile(c.path, out)
			break
		}
		if err = dir.Remove(c.path); err == nil && path.Dir(c.path) != "." {
			_, err = dir.RemoveDir(path.Dir(c.path))
		}
	case clientKept:
		change.Note = fmt.Sprintf("The entry %q there is not what init writes and was left as it is.", serverName)
	}
	return change, err
}

// file is the configuration of a client that has nothing else in it.
func (c mcpClient) file() string {
	if c.section == "" {
		return c.table("\n")
	}
	l := layout{newline: "\n", unit: "  "}
	return "{\n  " + quoted(c.section) + ": " + l.server(c.entry, "  ") + "\n}\n"
}

// table is the server as a table of TOML.
func (c mcpClient) table(newline string) string {
	lines := []string{"[mcp_servers." + serverName + "]"}
	for _, f := range c.entry {
		lines = append(lines, f.name+" = "+quotedValue(f.value)) // strings and arrays are written as in JSON
	}
	return strings.Join(lines, newline) + newline
}

// value is the entry as decoders give it.
func (c mcpClient) value() map[string]any {
	out := map[string]any{}
	for _, f := range c.entry {
		if list, ok := f.value.([]string); ok {
			var values []any
			for _, s := range list {
				values = append(values, s)
			}
			out[f.name] = values
		} else {
			out[f.name] = f.value
		}
	}
	return out
}

// readTOML decodes a configuration and finds the server in it.
func readTOML(text []byte) (all, servers map[string]any, entry any, err error) {
	if err := toml.Unmarshal(text, &all); err != nil {
		return nil, nil, nil, fmt.Errorf("it is no TOML: %w", err)
	}
	servers, _ = all["mcp_servers"].(map[string]any)
	return all, servers, servers[serverName], nil
}

func (c mcpClient) addTOML(text []byte) ([]byte, clientOutcome, error) {
	before, servers, entry, err := readTOML(text)
	switch {
	case err != nil:
		return nil, "", err
	case reflect.DeepEqual(entry, any(c.value())):
		return nil, clientUnchanged, nil
	case entry != nil:
		return nil, clientKept, nil
	}
	nl := newlineOf(text)
	out := string(text) + nl + c.table(nl)
	if !bytes.HasSuffix(text, []byte("\n")) {
		out = string(text) + nl + nl + strings.TrimSuffix(c.table(nl), nl)
	}
	// What else is there must read as before, also to stricter decoders.
	if regexp.MustCompile(`(?m)^[ \t]*["']?mcp_servers["']?[ \t]*=`).Match(text) {
		return nil, "", errors.New("mcp_servers is an inline table, which cannot be added to")
	}
	if servers == nil {
		if before["mcp_servers"] != nil {
			return nil, "", errors.New("mcp_servers is no table")
		}
		servers = map[string]any{}
		before["mcp_servers"] = servers
	}
	servers[serverName] = c.value()
	if after, _, _, err := readTOML([]byte(out)); err != nil || !reflect.DeepEqual(before, after) {
		return nil, "", errors.New("a table at its end would not be read as one of mcp_servers")
	}
	return []byte(out), clientMerged, nil
}

func (c mcpClient) dropTOML(text []byte) ([]byte, clientOutcome, error) {
	before, servers, entry, err := readTOML(text)
	switch {
	case err != nil:
		return nil, "", err
	case entry == nil:
		return nil, clientUnchanged, nil
	case !reflect.DeepEqual(entry, any(c.value())):
		return nil, clientKept, nil
	}
	nl := newlineOf(text)
	s, table := string(text), c.table(nl)
	open := strings.TrimSuffix(table, nl) // as the last line, where that had no end
	at, between := strings.Index(s, table), nl
	if at < 0 && strings.HasSuffix(s, open) {
		at, table, between = len(s)-len(open), open, nl+nl
	}
	if at < 0 {
		return nil, clientKept, nil // the same values, written by hand
	}
	end := at + len(table)
	if strings.HasSuffix(s[:at], nl+nl) {
		at -= len(between)
	}
	out := s[:at] + s[end:]
	delete(servers, serverName)
	after, _, _, err := readTOML([]byte(out))
	if len(servers) == 0 {
		delete(before, "mcp_servers")
		delete(after, "mcp_servers")
	}
	if err != nil || !reflect.DeepEqual(before, after) {
		return nil, "", errors.New("without the table the rest would not be read as before")
	}
	return []byte(out), clientRemoved, nil
}

func newlineOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
