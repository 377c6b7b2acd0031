package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// The parts of CycloneDX 1.6 that are used here.
type bom struct {
	Schema       string          `json:"$schema"`
	BOMFormat    string          `json:"bomFormat"`
	SpecVersion  string          `json:"specVersion"`
	SerialNumber string          `json:"serialNumber,omitempty"`
	Version      int             `json:"version"`
	Metadata     bomMetadata     `json:"metadata"`
	Components   []bomComponent  `json:"components"`
	Dependencies []bomDependency `json:"dependencies"`
}

type bomMetadata struct {
	Timestamp  string        `json:"timestamp"`
	Component  bomComponent  `json:"component"`
	Properties []bomProperty `json:"properties"`
}

type bomComponent struct {
	BOMRef   string       `json:"bom-ref"`
	Type     string       `json:"type"`
	Name     string       `json:"name"`
	Version  string       `json:"version"`
	Scope    string       `json:"scope,omitempty"`
	Hashes   []bomHash    `json:"hashes,omitempty"`
	Licenses []bomLicense `json:"licenses"`
	PURL     string       `json:"purl"`
}

type bomHash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type bomLicense struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type bomProperty struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type bomDependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// cycloneDX is the bill of materials. Its time is that of the commit, and its
// serial number follows from its content, so it is the same for every build.
func (m *materials) cycloneDX() ([]byte, error) {
	convert := func(c component, kind, scope string) bomComponent {
		out := bomComponent{BOMRef: c.purl, Type: kind, Name: c.name, Version: c.version, Scope: scope, PURL: c.purl}
		if c.hash != "" {
			out.Hashes = []bomHash{{c.alg, c.hash}}
		}
		for _, id := range c.licenses {
			var l bomLicense
			l.License.ID = id
			out.Licenses = append(out.Licenses, l)
		}
		return out
	}
	b := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", BOMFormat: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: bomMetadata{
			Timestamp: m.build.time.Format(time.RFC3339), Component: convert(m.main, "application", ""),
			Properties: []bomProperty{
				{"project-map:commit", m.build.commit},
				{"project-map:goarch", m.build.goarch},
				{"project-map:goos", m.build.goos},
			},
		},
		Dependencies: []bomDependency{{m.main.purl, m.main.needs}},
	}
	for _, c := range m.components {
		b.Components = append(b.Components, convert(c, "library", "required"))
		b.Dependencies = append(b.Dependencies, bomDependency{c.purl, append([]string{}, c.needs...)})
	}
	text, err := encode(b)
	if err != nil {
		return nil, err
	}
	// A UUID of version 8, which leaves the choice of its bits to the maker.
	sum := sha256.Sum256(text)
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	b.SerialNumber = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	return encode(b)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// hexOf turns a digest in base64 into hex.
func hexOf(s string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	return hex.EncodeToString(raw), err
}
