// Package anchor reads settings with github.com/goccy/go-yaml.
package anchor

import "github.com/goccy/go-yaml"

// Settings are what is read of a file. It may hold more, such as values with a name.
type Settings struct {
	Port  int
	Value any
}

// Read reads settings.
func Read(text string) (Settings, error) {
	var s Settings
	err := yaml.Unmarshal([]byte(text), &s)
	return s, err
}
