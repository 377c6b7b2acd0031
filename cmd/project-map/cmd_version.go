package main

import (
	"fmt"
	"io"
	"runtime"

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
}

func printVersion(c *cli.Context) error {
	r := versionReport{version, artifact.FormatVersion, artifact.FeatureVersion, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	return output(c, func(w io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(w, r)
		}
		_, err := fmt.Fprintf(w, "project-map %s (artifacts %d.%d, %s, %s)\n", r.Version, r.ArtifactFormat, r.ArtifactFeature, r.Go, r.Platform)
		return err
	})
}
