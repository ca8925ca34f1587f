// Package ulid reads identifiers of a database with github.com/oklog/ulid.
package ulid

import "github.com/oklog/ulid/v2"

// Column reads what a database holds.
func Column(data []byte) (string, error) {
	var id ulid.ULID
	if err := id.Scan(data); err != nil {
		return "", err
	}
	return id.String(), nil
}
