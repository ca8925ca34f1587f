package system

import (
	"os"
	"path/filepath"
)

// elsewhere is a file with a time zone that no place has, 5 hours and 37 minutes ahead, in the form of RFC 8536, section
// 3, version 1. It is made here, since not every system has the zones of the world.
var elsewhere = []byte("TZif" + string(make([]byte, 16)) +
	"\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x01" + "\x00\x00\x00\x04" +
	"\x00\x00\x4e\xfc" + "\x00" + "\x00" + "FUZ\x00")

// ElsewhereEnv is a variable of the environment with which a Go program runs as on a machine in another time zone. It names
// a file in dir, which is written where it is not there. On Windows programs do not ask for it.
func ElsewhereEnv(dir string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, "elsewhere.tz"))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		f, err := os.CreateTemp(dir, "elsewhere")
		if err != nil {
			return "", err
		}
		_, err = f.Write(elsewhere)
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err == nil {
			err = os.Rename(f.Name(), path)
		}
		if err != nil {
			os.Remove(f.Name())
			return "", err
		}
	}
	return "TZ=" + path, nil
}
