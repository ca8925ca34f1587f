package corpus

import (
	"archive/zip"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus/layout"
)

// SeedCorpus is the base name's end of the archives from which OSS-Fuzz and ClusterFuzzLite take
// the seeds of a fuzz target.
const SeedCorpus = "_seed_corpus.zip"

// mark begins the comment of an archive that WriteSeedCorpus has written. The layout and the
// types follow.
const mark = "fuzzmut seed corpus "

// WriteSeedCorpus writes entries as a zip archive, each as a file in a layout. The same entries
// give the same bytes: files are named by what they hold, sorted, not compressed, and have no
// time. left are the entries that the layout has no bytes for, with the first reason.
func WriteSeedCorpus(w io.Writer, entries []Entry, types []string, l *layout.Layout) (files, left int, reason, err error) {
	contents := make(map[string][]byte)
	for i := range entries {
		data, err := l.Encode(entries[i].Input.Values())
		if err != nil {
			left++
			if reason == nil {
				reason = fmt.Errorf("%s: %w", entries[i].Name, err)
			}
			continue
		}
		sum := sha1.Sum(data)
		contents[hex.EncodeToString(sum[:])] = data
	}
	archive := zip.NewWriter(w)
	if err := archive.SetComment(mark + l.Name + " " + strings.Join(canonicalTypes(types), ",")); err != nil {
		return 0, 0, nil, err
	}
	var names []string
	for name := range contents {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		file, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = file.Write(contents[name])
		}
		if err != nil {
			return 0, 0, nil, err
		}
	}
	return len(names), left, reason, archive.Close()
}

// CheckReplaceSeedCorpus refuses to replace an archive that WriteSeedCorpus has not written.
func CheckReplaceSeedCorpus(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().IsRegular() {
		var archive *zip.ReadCloser
		if archive, err = zip.OpenReader(path); err == nil {
			defer archive.Close()
			if strings.HasPrefix(archive.Comment, mark) {
				return nil
			}
		}
	}
	return fmt.Errorf("%s was not written by fuzzmut; move it elsewhere", path)
}

// follow takes the layout from the comment of an archive, if it has one.
func (f *foreign) follow(comment string) error {
	about, ok := strings.CutPrefix(comment, mark)
	if !ok {
		return nil
	}
	name, types, ok := strings.Cut(about, " ")
	if !ok {
		return errors.New("its comment is not that of a seed corpus of fuzzmut: export it again")
	}
	l, err := layout.Parse(name)
	if err != nil {
		return err
	}
	if f.as != nil && f.as != l {
		return fmt.Errorf("it is in layout %s, by its comment, and not in %s", l.Name, f.as.Name)
	}
	if want := strings.Join(canonicalTypes(f.types), ","); types != want {
		return fmt.Errorf("it is the seed corpus of a fuzz target that takes (%s), and this one takes (%s)", types, want)
	}
	f.as, f.named = l, true
	return nil
}
