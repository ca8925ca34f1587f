// Package strict reads settings with github.com/pelletier/go-toml.
package strict

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A Server is what a file of settings describes.
type Server struct {
	Name  string
	Port  int
	Paths []string
}

// Read reads settings that may hold nothing else.
func Read(text string) (Server, error) {
	var s Server
	err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(&s)
	var missing *toml.StrictMissingError
	if errors.As(err, &missing) {
		err = errors.New(missing.String())
	}
	return s, err
}
