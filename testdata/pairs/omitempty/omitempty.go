// Package omitempty writes settings with github.com/BurntSushi/toml.
package omitempty

import (
	"strings"

	"github.com/BurntSushi/toml"
)

// Settings are what a file holds.
type Settings struct {
	Name   string `toml:"name,omitempty"`
	Limits Limits `toml:"limits,omitempty"`
}

// Limits are a part of Settings.
type Limits struct {
	Size  int      `toml:"size"`
	Hosts []string `toml:"hosts"`
}

// Text returns settings as a file.
//
//fuzzmut:target
func Text(s Settings) (string, error) {
	var out strings.Builder
	err := toml.NewEncoder(&out).Encode(s)
	return out.String(), err
}
