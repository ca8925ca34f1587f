// Package yaml reads documents with gopkg.in/yaml.v3.
package yaml

import "gopkg.in/yaml.v3"

// Format returns a document in the usual form.
func Format(text string) (string, error) {
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return "", err
	}
	out, err := yaml.Marshal(value)
	return string(out), err
}
