package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// ContextLayer says how narrow questions are answered.
type ContextLayer struct {
	Enabled bool
	// Model is only reported: nothing here calls one.
	Model                           string
	MaxInputTokens, MaxOutputTokens int
	Cache                           bool
}

// DefaultContextLayer holds where nothing is configured.
func DefaultContextLayer() ContextLayer {
	return ContextLayer{Enabled: true, MaxInputTokens: 12000, MaxOutputTokens: 1200, Cache: true}
}

// ContextLayerSettings are those of one source; nil leaves a setting as it is.
type ContextLayerSettings struct {
	Enabled         *bool   `yaml:"enabled"`
	Model           *string `yaml:"model"`
	MaxInputTokens  *int    `yaml:"maxInputTokens"`
	MaxOutputTokens *int    `yaml:"maxOutputTokens"`
	Cache           *bool   `yaml:"cache"`
}

// minTokens is the least that an answer needs to say anything.
const minTokens = 100

// Apply lays settings over those before. Errors wrap ErrInvalid.
func (c *ContextLayer) Apply(s ContextLayerSettings) error {
	for _, n := range []struct {
		name  string
		value *int
		to    *int
	}{{"maxInputTokens", s.MaxInputTokens, &c.MaxInputTokens}, {"maxOutputTokens", s.MaxOutputTokens, &c.MaxOutputTokens}} {
		if n.value == nil {
			continue
		}
		if *n.value < minTokens {
			return fmt.Errorf("contextLayer.%s: %d is too little; give at least %d: %w", n.name, *n.value, minTokens, ErrInvalid)
		}
		*n.to = *n.value
	}
	if s.Enabled != nil {
		c.Enabled = *s.Enabled
	}
	if s.Model != nil {
		c.Model = *s.Model
	}
	if s.Cache != nil {
		c.Cache = *s.Cache
	}
	return nil
}

// ParseUser reads the user's own configuration, which holds contextLayer alone.
// name is the file, for errors, which wrap ErrInvalid.
func ParseUser(name string, text []byte) (ContextLayerSettings, error) {
	var f struct {
		ContextLayer ContextLayerSettings `yaml:"contextLayer"`
	}
	if len(text) > maxSize {
		return f.ContextLayer, fmt.Errorf("%s: %d bytes are more than a configuration needs: %w", name, len(text), ErrInvalid)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return f.ContextLayer, fmt.Errorf("%s: %s: %w", name, readable(err), ErrInvalid)
	}
	return f.ContextLayer, nil
}

// ContextLayerOf reads settings from texts, such as those of an environment; an
// empty one leaves its setting as it is.
func ContextLayerOf(enabled, model, maxInput, maxOutput, cache string) (ContextLayerSettings, error) {
	var s ContextLayerSettings
	for _, b := range []struct {
		name, text string
		to         **bool
	}{{"enabled", enabled, &s.Enabled}, {"cache", cache, &s.Cache}} {
		if b.text == "" {
			continue
		}
		v, err := strconv.ParseBool(b.text)
		if err != nil {
			return s, fmt.Errorf("contextLayer.%s: %q is neither true nor false: %w", b.name, b.text, ErrInvalid)
		}
		*b.to = &v
	}
	for _, n := range []struct {
		name, text string
		to         **int
	}{{"maxInputTokens", maxInput, &s.MaxInputTokens}, {"maxOutputTokens", maxOutput, &s.MaxOutputTokens}} {
		if n.text == "" {
			continue
		}
		v, err := strconv.Atoi(n.text)
		if err != nil {
			return s, fmt.Errorf("contextLayer.%s: %q is no number: %w", n.name, n.text, ErrInvalid)
		}
		*n.to = &v
	}
	if model != "" {
		s.Model = &model
	}
	return s, nil
}
