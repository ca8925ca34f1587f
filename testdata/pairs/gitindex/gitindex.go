// Package gitindex writes and reads index files with github.com/go-git/go-git.
package gitindex

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// Encode returns an index of version 4 with these files.
func Encode(names ...string) ([]byte, error) {
	idx := &index.Index{Version: 4}
	for _, name := range names {
		idx.Entries = append(idx.Entries, &index.Entry{Name: name})
	}
	var out bytes.Buffer
	err := index.NewEncoder(&out).Encode(idx)
	return out.Bytes(), err
}

// Names returns the names of the files in an index.
func Names(data []byte) ([]string, error) {
	var idx index.Index
	if err := index.NewDecoder(bytes.NewReader(data)).Decode(&idx); err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range idx.Entries {
		names = append(names, entry.Name)
	}
	return names, nil
}
