package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/artifact"
)

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version of the program and of what it writes",
		Description: `   project-map version
   project-map version --format json`,
		Action: printVersion,
	}
}

// versionReport is what version prints with --format json.
type versionReport struct {
	Version         string `json:"version"`
	ArtifactFormat  int    `json:"artifactFormat"`
	ArtifactFeature int    `json:"artifactFeature"`
	Go              string `json:"go"`
	Platform        string `json:"platform"`
	// Build is the version of the module where it is another one than Version:
	// that of a commit between releases, as "go install …@main" makes it.
	Build string `json:"build,omitempty"`
}

// buildVersion is what the go tool knows of the module's version, "" if nothing.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" || info.Main.Version == "v"+version {
		return ""
	}
	return info.Main.Version
}

func printVersion(c *cli.Context) error {
	r := versionReport{version, artifact.FormatVersion, artifact.FeatureVersion, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, buildVersion()}
	return output(c, func(w io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(w, r)
		}
		build := ""
		if r.Build != "" {
			build = ", build " + r.Build
		}
		_, err := fmt.Fprintf(w, "project-map %s (artifacts %d.%d, %s, %s%s)\n", r.Version, r.ArtifactFormat, r.ArtifactFeature, r.Go, r.Platform, build)
		return err
	})
}
