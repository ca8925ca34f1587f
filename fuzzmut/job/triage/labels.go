package triage

import (
	"encoding/json"
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// ReadLabels reads the bugs that failing inputs show, by the inputs' names: a JSON
// object whose members are strings, or objects with a member "bug".
func ReadLabels(path string) (map[string]string, error) {
	data, err := regular.Read(path, maxLabels)
	if err != nil {
		return nil, err
	}
	labels, err := parseLabels(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return labels, nil
}

// maxLabels bounds a file of labels that is read, in bytes.
const maxLabels = 64 << 20

func parseLabels(data []byte) (map[string]string, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("not a JSON object that maps names of inputs to labels: %w", err)
	}
	labels := make(map[string]string)
	for name, value := range raw {
		var label string
		var object struct{ Bug string }
		switch {
		case json.Unmarshal(value, &label) == nil:
		case json.Unmarshal(value, &object) == nil:
			label = object.Bug
		}
		if label == "" {
			return nil, fmt.Errorf("the label of %q is neither a string nor an object with a member \"bug\"", name)
		}
		labels[name] = label
	}
	return labels, nil
}
