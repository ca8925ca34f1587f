// Package uuid reads identifiers with github.com/google/uuid.
package uuid

import "github.com/google/uuid"

// Canonical returns an identifier in its usual form.
func Canonical(text string) (string, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return "", err
	}
	other, err := uuid.ParseBytes([]byte(text))
	if err != nil || other != id {
		return "", err
	}
	return id.String(), nil
}
