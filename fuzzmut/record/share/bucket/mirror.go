package bucket

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/filelock"
)

// Mirror is a shared directory that is kept the same as a bucket. Processes of one machine may
// have the same directory.
type Mirror struct {
	Dir   string
	Store Store
	// Valid holds for the names that files of a shared directory have, with / between the parts.
	Valid func(name string) bool
	// ReadOnly has nothing sent.
	ReadOnly bool
}

// Result says what a Sync has done.
type Result struct {
	Fetched, Sent, Removed int
	Foreign                int    // objects that are none of a shared directory's
	First                  string // name of one of them
}

const (
	stateName = ".fuzzmut-synced" // files that are, or were, both here and in the bucket
	lockName  = ".fuzzmut-lock"
	partMost  = 64 << 20 // bytes
	// batchMost bounds the objects of a request, and batchBytes what they have together.
	batchMost  = 256
	batchBytes = 16 << 20
	logSuffix  = ".log"
	digits     = 12 // of an offset
)

// part is a part of a log, or a whole file.
type part struct {
	object Object
	offset int64
}

// Sync fetches what the bucket has more of the files whose names begin with one of the prefixes,
// and sends what the directory has more. What was there and was removed from the bucket is
// removed here, or, if gone is set, the other way round.
func (m *Mirror) Sync(gone bool, prefixes ...string) (r Result, err error) {
	if err := os.MkdirAll(m.Dir, 0o777); err != nil {
		return r, err
	}
	unlock, err := filelock.Own(filepath.Join(m.Dir, lockName))
	if err == nil {
		defer unlock()
	} else if !errors.Is(err, errors.ErrUnsupported) {
		return r, err
	}
	synced := m.state()
	for _, prefix := range prefixes {
		if err = m.sync(&r, gone, prefix, synced); err != nil {
			break
		}
	}
	return r, errors.Join(err, m.save(synced))
}

func (m *Mirror) sync(r *Result, gone bool, prefix string, synced map[string]bool) error {
	objects, err := m.Store.List(prefix)
	if err != nil {
		return err
	}
	remote := make(map[string][]part)
	for _, o := range objects {
		name, offset, ok := m.parse(&o)
		if !ok {
			if r.Foreign++; r.First == "" {
				r.First = o.Name
			}
			continue
		}
		remote[name] = append(remote[name], part{o, offset})
	}
	local, err := m.local(prefix)
	if err != nil {
		return err
	}
	if gone {
		return m.delete(r, remote, local, synced)
	}
	if err := m.fetch(r, remote, local, synced); err != nil {
		return err
	}
	if m.ReadOnly {
		return nil
	}
	return m.send(r, remote, local, synced)
}

// parse says which file an object is of, and from where on.
func (m *Mirror) parse(o *Object) (name string, offset int64, ok bool) {
	name = o.Name
	if dir, base := path.Split(name); strings.HasSuffix(dir, logSuffix+"/") {
		n, err := strconv.ParseInt(base, 10, 64)
		if err != nil || len(base) != digits || n < 0 || o.Size > partMost {
			return "", 0, false
		}
		name, offset = strings.TrimSuffix(dir, "/"), n
	} else if strings.HasSuffix(name, logSuffix) {
		return "", 0, false
	}
	return name, offset, m.Valid(name)
}

func (m *Mirror) path(name string) string { return filepath.Join(m.Dir, filepath.FromSlash(name)) }

// local lists the files of the directory, with their sizes.
func (m *Mirror) local(prefix string) (map[string]int64, error) {
	sizes := make(map[string]int64)
	top := m.path(path.Dir(prefix + "x"))
	err := filepath.WalkDir(top, func(at string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(m.Dir, at)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if !m.Valid(name) || !strings.HasPrefix(name, prefix) {
			return nil
		}
		info, err := e.Info()
		if err == nil {
			sizes[name] = info.Size()
		}
		return nil
	})
	return sizes, err
}

// fetch writes what the bucket has more.
func (m *Mirror) fetch(r *Result, remote map[string][]part, local map[string]int64, synced map[string]bool) error {
	var want []Object
	var size int64
	take := func() error {
		got, err := m.Store.Get(want)
		for i := range got {
			if err == nil && !got[i].Gone {
				got[i].Name, got[i].Time = want[i].Name, want[i].Time
				err = m.write(&got[i], local, synced)
				r.Fetched++
			}
		}
		want, size = nil, 0
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(remote)) {
		have, there := local[name]
		if there {
			synced[name] = true
		}
		slices.SortFunc(remote[name], func(a, b part) int { return strings.Compare(a.object.Name, b.object.Name) })
		for _, p := range remote[name] {
			isLog := strings.HasSuffix(name, logSuffix)
			if there && !isLog || isLog && (p.offset > have || p.offset+p.object.Size <= have) {
				continue // it is there, or a part before it is missing
			}
			have = p.offset + p.object.Size
			want, size = append(want, Object{Name: p.object.Name, Time: p.object.Time}), size+p.object.Size
			if len(want) == batchMost || size >= batchBytes {
				if err := take(); err != nil {
					return err
				}
			}
		}
	}
	if len(want) == 0 {
		return nil
	}
	return take()
}

// write puts an object into the directory. What is of the wrong length was written by somebody
// else meanwhile.
func (m *Mirror) write(o *Object, local map[string]int64, synced map[string]bool) error {
	o.Size = int64(len(o.Data))
	name, offset, ok := m.parse(o)
	if !ok {
		return nil
	}
	at := m.path(name)
	have := local[name]
	end := offset + o.Size
	if strings.HasSuffix(name, logSuffix) {
		if offset > have || end <= have {
			return nil // a part before it is missing, or it is there
		}
		if err := appendTo(at, o.Data[have-offset:]); err != nil {
			return err
		}
	} else if err := corpus.ReplaceFile(filepath.Dir(at), filepath.Base(at), o.Data); err != nil {
		return err
	}
	local[name], synced[name] = end, true
	if !o.Time.IsZero() {
		return os.Chtimes(at, o.Time, o.Time)
	}
	return nil
}

func appendTo(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// send writes to the bucket what the directory has more, and removes from the directory what was
// removed there.
func (m *Mirror) send(r *Result, remote map[string][]part, local map[string]int64, synced map[string]bool) error {
	var list []Object
	size := 0
	var names []string // of the files that list is of
	put := func() error {
		err := m.Store.Put(list)
		if err == nil {
			r.Sent += len(list)
			for _, name := range names {
				synced[name] = true
			}
		}
		list, names, size = nil, nil, 0
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(local)) {
		end := int64(0)
		for _, p := range remote[name] {
			if p.offset <= end {
				end = max(end, p.offset+p.object.Size)
			}
		}
		if len(remote[name]) == 0 && synced[name] {
			delete(synced, name)
			r.Removed++
			if err := os.Remove(m.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if len(remote[name]) > 0 && (!strings.HasSuffix(name, logSuffix) || local[name] <= end) {
			continue
		}
		data, err := os.ReadFile(m.path(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		o := Object{Name: name, Data: data}
		if strings.HasSuffix(name, logSuffix) {
			o.Name, o.Data = fmt.Sprintf("%s/%0*d", name, digits, end), data[end:]
		}
		list, names, size = append(list, o), append(names, name), size+len(o.Data)
		if len(list) == batchMost || size >= batchBytes {
			if err := put(); err != nil {
				return err
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return put()
}

// delete removes from the bucket what the directory no longer has.
func (m *Mirror) delete(r *Result, remote map[string][]part, local map[string]int64, synced map[string]bool) error {
	var list []Object
	for _, name := range slices.Sorted(maps.Keys(remote)) {
		if _, ok := local[name]; ok || !synced[name] {
			continue
		}
		delete(synced, name)
		for _, p := range remote[name] {
			list = append(list, Object{Name: p.object.Name})
		}
	}
	for batch := range slices.Chunk(list, batchMost) {
		if err := m.Store.Delete(batch); err != nil {
			return err
		}
		r.Removed += len(batch)
	}
	return nil
}

// state reads which files are, or were, both here and in the bucket: one that is gone from a side
// was removed there. Without it, what was removed comes back.
func (m *Mirror) state() map[string]bool {
	synced := make(map[string]bool)
	data, err := os.ReadFile(filepath.Join(m.Dir, stateName))
	var names []string
	if err == nil && json.Unmarshal(data, &names) == nil {
		for _, name := range names {
			synced[name] = true
		}
	}
	return synced
}

func (m *Mirror) save(synced map[string]bool) error {
	data, err := json.Marshal(slices.Sorted(maps.Keys(synced)))
	if err != nil {
		return err
	}
	return corpus.ReplaceFile(m.Dir, stateName, data)
}
