// Package settings reads settings with github.com/pelletier/go-toml.
package settings

import "github.com/pelletier/go-toml/v2"

// Format returns settings in the usual form.
func Format(text string) (string, error) {
	var value map[string]any
	if err := toml.Unmarshal([]byte(text), &value); err != nil {
		return "", err
	}
	out, err := toml.Marshal(value)
	return string(out), err
}
