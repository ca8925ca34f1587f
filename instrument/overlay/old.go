package overlay

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"time"
)

// writeOld writes a file that looks as if it had not been written just now. The go command keeps
// an index of the packages in GOROOT, by the names, sizes and times of their files. While a file is
// less than two seconds old it makes none, and then it does not find a package that is in an
// overlay alone: "package fuzzmutrt/loop is not in std". The time comes from the content, so that
// other content never has the index of this one.
func writeOld(path string, text []byte) error {
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return err
	}
	at := timeOf(text)
	return os.Chtimes(path, at, at)
}

// Times of files are in the years from firstYear on, with whole microseconds, which all file
// systems have that matter here.
const (
	firstYear = 1990
	span      = 20 * 365 * 24 * time.Hour / time.Microsecond
)

func timeOf(text []byte) time.Time {
	sum := sha256.Sum256(text)
	offset := binary.LittleEndian.Uint64(sum[:]) % uint64(span)
	return time.Date(firstYear, time.January, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(offset) * time.Microsecond)
}
