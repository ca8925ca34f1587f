// Package sshconf prints configurations with github.com/kevinburke/ssh_config.
package sshconf

import (
	"strings"

	"github.com/kevinburke/ssh_config"
)

// Print returns the text of a configuration that was read.
func Print(text string) (string, error) {
	config, err := ssh_config.Decode(strings.NewReader(text))
	if err != nil {
		return "", err
	}
	return config.String(), nil
}
