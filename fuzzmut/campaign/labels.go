package campaign

import (
	"encoding/json"
	"fmt"
	"os"
)

// ReadLabels reads the bugs that failing inputs show, by the inputs' names: a JSON
// object whose members are strings, or objects with a member "bug".
func ReadLabels(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("%s: not a JSON object of labels by the names of inputs: %w", path, err)
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
			return nil, fmt.Errorf("%s: the label of %q is neither a string nor an object with a member \"bug\"", path, name)
		}
		labels[name] = label
	}
	return labels, nil
}
