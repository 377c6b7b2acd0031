package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/plaintext"
)

// pageKind is one of the two artifacts of a directory, as a resource.
type pageKind struct {
	name, title, description string
	file                     func(dir string) string
}

var pageKinds = []pageKind{
	{"index", "Routing index of a directory", "What a directory is, what its children and files are for, and where to read on: some hundred tokens. An empty dir is the root.", artifact.IndexPath},
	{"map", "Map of a directory", "Symbols with signatures, imports and dependencies of a directory's files: up to a few thousand tokens. An empty dir is the root.", artifact.MapPath},
}

const (
	pageMIME = "text/markdown"
	// resourcePage is the number of directories in one page of the list.
	resourcePage = 200
	// maxCompletions is the protocol's limit.
	maxCompletions = 100
)

func (k pageKind) prefix() string { return "project-map://" + k.name + "/" }

func (k pageKind) template() *mcp.ResourceTemplate {
	return &mcp.ResourceTemplate{Name: k.name, Title: k.title, Description: k.description, MIMEType: pageMIME, URITemplate: k.prefix() + "{+dir}"}
}

// uri is the address of a directory's page. What a path may hold and an address
// may not is escaped.
func (k pageKind) uri(dir string) string {
	parts := strings.Split(dir, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return k.prefix() + strings.Join(parts, "/")
}

// pageOf finds out which page of which directory an address names.
func pageOf(uri string) (k pageKind, dir string, err error) {
	for _, k := range pageKinds {
		rest, ok := strings.CutPrefix(uri, k.prefix())
		if !ok {
			continue
		}
		dir, err := url.PathUnescape(strings.TrimSuffix(rest, "/"))
		if err != nil {
			return k, "", err
		}
		if dir != "" && (!fs.ValidPath(dir) || dir == ".") {
			return k, "", fmt.Errorf("%q is no path of a directory in the repository", dir)
		}
		return k, dir, nil
	}
	return pageKind{}, "", errors.New("there is no such resource")
}

// readResource gives an artifact as it lies in the work tree.
func (m *mcpServer) readResource(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	k, dir, err := pageOf(r.Params.URI)
	if err != nil {
		return nil, invalidParams("%s: %v; addresses are %sDIR and %sDIR", plaintext.Line(r.Params.URI, 200), err, pageKinds[0].prefix(), pageKinds[1].prefix())
	}
	c, err := m.context(ctx, contextCommand())
	if err != nil {
		return nil, err
	}
	w, err := openWorkspace(c)
	if err != nil {
		return nil, internalError(err)
	}
	defer w.close()
	if w.out == "" {
		return nil, internalError(w.errBare("start the server in a work tree"))
	}
	tree, err := openPageTree(w.out, w.mirrored)
	if err != nil {
		return nil, internalError(err)
	}
	defer tree.close()
	data, err := tree.read(k.file(dir))
	if err != nil {
		return nil, internalError(err)
	}
	if data == nil {
		return nil, notFound(r.Params.URI, "there is no %s; directories without files of their own and repositories with \"artifacts: none\" have none, others get theirs from: project-map index", plaintext.Line(k.file(dir), 200))
	}
	state := artifact.Inspect(data)
	if state == artifact.Foreign {
		return nil, notFound(r.Params.URI, "%s was not written by project-map", plaintext.Line(k.file(dir), 200))
	}
	return &mcp.ReadResourceResult{
		Contents:  []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: pageMIME, Text: strings.ToValidUTF8(string(data), "\uFFFD"), Meta: mcp.Meta{"project-map/state": state.String()}}},
		Cacheable: mcp.Cacheable{CacheScope: "private"},
	}, nil
}

// listing answers resources/list from the catalog as it is at the time.
func (m *mcpServer) listing(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if method != "resources/list" {
			return next(ctx, method, r)
		}
		cursor := ""
		if p, ok := r.GetParams().(*mcp.ListResourcesParams); ok && p != nil {
			// The library would refuse a cursor that is not its own.
			cursor, p.Cursor = p.Cursor, ""
		}
		result, err := next(ctx, method, r)
		list, ok := result.(*mcp.ListResourcesResult)
		if err != nil || !ok {
			return result, err
		}
		if list.Resources, list.NextCursor, err = m.resources(ctx, cursor); err != nil {
			return nil, err
		}
		list.CacheScope = "private"
		return list, nil
	}
}

// resources lists the pages of the directories behind a cursor.
func (m *mcpServer) resources(ctx context.Context, cursor string) (out []*mcp.Resource, next string, err error) {
	after, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return nil, "", invalidParams("the cursor is not one of this server's; list from the start")
	}
	dirs, err := m.directories(ctx)
	if err != nil {
		// Clients list as they start: an error there would cost them the tools.
		c, cerr := m.context(ctx, contextCommand())
		if cerr == nil {
			newConsole(c).say("no resources: %v", err)
		}
		return []*mcp.Resource{}, "", nil
	}
	if cursor != "" {
		// The root, whose path is empty, is on the first page.
		k, _ := slices.BinarySearchFunc(dirs, string(after)+"\x00", func(d directoryPage, s string) int { return strings.Compare(d.path, s) })
		dirs = dirs[k:]
	}
	out = []*mcp.Resource{}
	for i, d := range dirs {
		if i == resourcePage {
			next = base64.RawURLEncoding.EncodeToString([]byte(dirs[i-1].path))
			break
		}
		for _, k := range pageKinds {
			name := k.name + " of the root"
			if d.path != "" {
				name = k.name + " of " + d.path
			}
			out = append(out, &mcp.Resource{Name: plaintext.Line(name, 200), Description: d.summary, MIMEType: pageMIME, URI: k.uri(d.path)})
		}
	}
	return out, next, ctx.Err()
}

// directoryPage is a directory that has an index and a map.
type directoryPage struct{ path, summary string }

// directories lists those with artifacts on disk, sorted by path.
func (m *mcpServer) directories(ctx context.Context) ([]directoryPage, error) {
	c, err := m.context(ctx, contextCommand(), option{"stale", staleIgnore})
	if err != nil {
		return nil, err
	}
	con := newConsole(c)
	defer con.end()
	src, err := openSource(c, con, staleIgnore)
	if err != nil {
		return nil, err
	}
	defer src.close()
	var out []directoryPage
	for _, d := range src.catalog.Dirs() {
		if d.HasMap && src.exists(artifact.IndexPath(d.Path)) {
			// The catalog's memory ends with the source.
			out = append(out, directoryPage{strings.Clone(d.Path), strings.Clone(plaintext.Line(d.Summary, 200))})
		}
	}
	slices.SortFunc(out, func(a, b directoryPage) int { return strings.Compare(a.path, b.path) })
	return out, nil
}

// complete offers directories for the parameter of the templates.
func (m *mcpServer) complete(ctx context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	out := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if r.Params.Ref == nil || r.Params.Ref.Type != "ref/resource" || r.Params.Argument.Name != "dir" {
		return out, nil
	}
	dirs, err := m.directories(ctx)
	if err != nil {
		return out, nil // reading says why
	}
	for _, d := range dirs {
		if d.path == "" || !strings.HasPrefix(d.path, path.Clean("/" + r.Params.Argument.Value)[1:]) {
			continue
		}
		out.Completion.Total++
		if len(out.Completion.Values) < maxCompletions {
			out.Completion.Values = append(out.Completion.Values, d.path)
		}
	}
	out.Completion.HasMore = out.Completion.Total > len(out.Completion.Values)
	return out, nil
}

func invalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// notFound says why there is nothing at an address.
func notFound(uri, format string, args ...any) error {
	err := mcp.ResourceNotFoundError(uri)
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		wire.Message += ": " + fmt.Sprintf(format, args...)
	}
	return err
}

func internalError(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: errorText(err)}
}
