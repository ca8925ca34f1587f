// Package secrets holds functions that each say whether an input is the one that
// they know, or one of the few.
package secrets

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"strings"
)

// Magic reports whether b begins with a number of eight bytes.
func Magic(b []byte) bool {
	return len(b) >= 8 && binary.LittleEndian.Uint64(b) == 0x9d2c5680efc61a2b
}

// Keyword reports whether a line is a certain command of twelve letters, and has an
// argument.
func Keyword(line string) bool {
	verb, arg, _ := strings.Cut(line, " ")
	return verb == "authenticate" && arg != ""
}

// Checksum reports whether b is a payload of at least four bytes behind its own
// CRC-32, in big endian.
func Checksum(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	return binary.BigEndian.Uint32(b) == crc32.ChecksumIEEE(b[4:])
}

// JSON reports whether an object has two fields with certain values.
func JSON(b []byte) bool {
	var v struct {
		Kind  string `json:"kind"`
		Level int    `json:"level"`
	}
	if json.Unmarshal(b, &v) != nil {
		return false
	}
	if v.Kind != "administrator" {
		return false
	}
	return v.Level == 31337
}

// Record reports whether b is a record of a certain type that is as long as it says:
//
//	type byte | length, 2 bytes big endian | body | end mark
func Record(b []byte) bool {
	if len(b) < 4 || b[0] != 0xc5 {
		return false
	}
	n := int(binary.BigEndian.Uint16(b[1:]))
	if n < 64 || len(b) != 3+n+1 {
		return false
	}
	return b[3+n] == 0x5c
}
