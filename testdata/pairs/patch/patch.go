// Package patch changes JSON with github.com/evanphx/json-patch.
package patch

import jsonpatch "github.com/evanphx/json-patch/v5"

// Apply applies a patch to a document.
func Apply(doc, patch string) (string, error) {
	p, err := jsonpatch.DecodePatch([]byte(patch))
	if err != nil {
		return "", err
	}
	out, err := p.Apply([]byte(doc))
	return string(out), err
}
