package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// In a live job, a worker puts an input for each mutant that its slice has killed into a bucket, by
// fuzz test and mutant, at the end of the slice. A slice begins with all of them: a worker that comes
// late does not search for what is dead. Without that it begins with what its round does. The server
// has no part in it.

// killed is a kill in the bucket.
type killed struct {
	Input string `json:"input"` // its hash
	Text  []byte `json:"text"`  // of its file
	Kind  string `json:"kind"`  // the oracle
}

const (
	killTextMost  = 64 << 10 // bytes of an input in the bucket: it is read at each slice
	killsTextMost = 64 << 20 // bytes of all inputs of a fuzz test
	mutantMost    = 1 << 24

	// logHead begins a log of a shared directory, as package fuzzmut/record/share has it.
	logHead   = "fuzzmut share log 1\n"
	killsFile = "fleet.log"

	// markName is the file that says what a shared directory is, likewise.
	markName = "fuzzmut-share.json"
	markText = `{"format":"fuzzmut share","version":1}` + "\n"
)

var inputName = regexp.MustCompile(`^[0-9a-f]{16}$`)

// record is what this program reads and writes of a log: the length of a text and a checksum of
// both stand before it.
type record struct {
	Fuzz  string `json:"fuzz,omitempty"`
	Begin *struct {
		Package string `json:"package"`
	} `json:"begin,omitempty"`
	Kill *recordKill `json:"kill,omitempty"`
}

type recordKill struct {
	Mutant uint32 `json:"mutant"`
	Input  string `json:"input"`
	Kind   string `json:"kind"`
}

const frameHead = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// append adds a record to a log.
func (r *record) append(log []byte) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // it has numbers and strings
	}
	var length [4]byte
	binary.LittleEndian.PutUint32(length[:], uint32(len(text)))
	sum := crc32.Update(crc32.Checksum(length[:], castagnoli), castagnoli, text)
	log = append(log, length[:]...)
	return append(binary.LittleEndian.AppendUint32(log, sum), text...)
}

// readKills returns the kills of a fuzz test in a log, up to a record that is damaged.
func readKills(log []byte, fuzz string) (list []recordKill) {
	log, ok := bytes.CutPrefix(log, []byte(logHead))
	for ok && len(log) >= frameHead {
		n := int64(binary.LittleEndian.Uint32(log))
		if n > int64(len(log)-frameHead) {
			break
		}
		text := log[frameHead : frameHead+n]
		if crc32.Update(crc32.Checksum(log[:4], castagnoli), castagnoli, text) != binary.LittleEndian.Uint32(log[4:]) {
			break
		}
		var r record
		if json.Unmarshal(text, &r) == nil && r.Fuzz == fuzz && r.Kill != nil && r.Kill.valid() {
			list = append(list, *r.Kill)
		}
		log = log[frameHead+n:]
	}
	return list
}

func (k *recordKill) valid() bool {
	return k.Mutant > 0 && k.Mutant <= mutantMost && inputName.MatchString(k.Input) && len(k.Kind) < 100
}

// killsPrefix begins the keys of the kills of a target.
func (j *job) killsPrefix(t target) string {
	return fmt.Sprintf("%s.t%d.", j.id(), slices.Index(j.Targets, t))
}

// entryName is the name of an input in a shared directory.
func (t *target) entryName(input string) string {
	return "entries/" + t.Package + "/" + t.Fuzz + "/" + input
}

// putKills puts the kills that a slice has left in dir into the bucket, of mutants that had none when
// it began. list are the names of the files that it has left.
func (w *worker) putKills(ctx context.Context, p *slice, dir string, list []string, had map[uint32]bool) error {
	if !w.job.Live {
		return nil
	}
	for _, name := range list {
		if !strings.HasSuffix(name, ".log") || !strings.HasPrefix(name, p.Target.Binary+"/") {
			continue
		}
		log, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		for _, k := range readKills(log, p.Target.Fuzz) {
			if had[k.Mutant] {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.Target.entryName(k.Input))))
			if err != nil || len(text) > killTextMost {
				continue // a seed of the tree, which each slice runs, or one that is too large
			}
			key := w.job.killsPrefix(p.Target) + strconv.FormatUint(uint64(k.Mutant), 10)
			if err := w.store.create(ctx, key, &killed{k.Input, text, k.Kind}); err != nil {
				return err
			}
			had[k.Mutant] = true
		}
	}
	return nil
}

// create puts a kill into the bucket unless another worker has.
func (s *store) create(ctx context.Context, key string, k *killed) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	err = retry(ctx, func(ctx context.Context) error {
		_, err := s.kills.Create(ctx, key, text)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyExists) {
		return nil
	}
	return err
}

// takeKills has a slice of a live job begin with the kills that are known, and adds the names of the
// files that it writes to except. It returns their mutants.
func (w *worker) takeKills(ctx context.Context, s *slice, dir string, except map[string]bool) (had map[uint32]bool, err error) {
	had = make(map[uint32]bool)
	if !w.job.Live {
		return had, nil
	}
	all, err := w.killsOf(ctx, w.job.killsPrefix(s.Target))
	if err != nil || len(all) == 0 {
		return had, err
	}
	first := record{}
	first.Begin = &struct {
		Package string `json:"package"`
	}{s.Target.Package}
	log, size := first.append([]byte(logHead)), 0
	for _, k := range all {
		if size += len(k.text); size > killsTextMost {
			break
		}
		name := s.Target.entryName(k.Input)
		if err := keep(dir, name, k.text); err != nil {
			return nil, err
		}
		except[name], had[k.Mutant] = true, true
		log = (&record{Fuzz: s.Target.Fuzz, Kill: &k.recordKill}).append(log)
	}
	name := s.Target.Binary + "/" + killsFile
	except[name] = true
	return had, errors.Join(keep(dir, markName, []byte(markText)), keep(dir, name, log))
}

// knownKill is a kill with its input.
type knownKill struct {
	recordKill
	text []byte
}

// heard are the kills that a worker has read: it asks for those after them alone, since all workers
// ask at each slice.
type heard struct {
	list []knownKill // by mutant
	last uint64      // revision of the bucket
}

// killsOf reads the kills whose keys begin with a prefix, by mutant.
func (w *worker) killsOf(ctx context.Context, prefix string) ([]knownKill, error) {
	h := w.heard[prefix]
	more, last, err := w.store.killsAfter(ctx, prefix, h.last)
	if err != nil {
		return nil, err
	}
	h.list, h.last = append(slices.Clone(h.list), more...), last
	slices.SortStableFunc(h.list, func(a, b knownKill) int { return int(a.Mutant) - int(b.Mutant) })
	if w.heard == nil {
		w.heard = make(map[string]heard)
	}
	w.heard[prefix] = h
	return h.list, nil
}

// killsAfter reads the kills whose keys begin with a prefix and that were put after a revision of the
// bucket, and returns the last revision. What can't be a kill is left out.
func (s *store) killsAfter(ctx context.Context, prefix string, after uint64) (list []knownKill, last uint64, err error) {
	opts := []jetstream.WatchOpt{jetstream.IgnoreDeletes()}
	if after > 0 {
		opts = append(opts, jetstream.ResumeFromRevision(after+1))
	}
	err = retry(ctx, func(ctx context.Context) error {
		list, last = nil, after
		w, err := s.kills.Watch(ctx, prefix+"*", opts...)
		if err != nil {
			return err
		}
		defer w.Stop() //nolint:errcheck // it is no longer asked
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case e, ok := <-w.Updates():
				if !ok {
					return errors.New("the list of kills has ended early")
				}
				if e == nil { // that was all
					return nil
				}
				last = max(last, e.Revision())
				if k, ok := readKill(strings.TrimPrefix(e.Key(), prefix), e.Value()); ok {
					list = append(list, k)
				}
			}
		}
	})
	return list, last, err
}

// readKill reads a kill of the bucket: the name says which mutant is killed.
func readKill(mutant string, text []byte) (one knownKill, ok bool) {
	var k killed
	id, err := strconv.ParseUint(mutant, 10, 32)
	if err != nil || json.Unmarshal(text, &k) != nil || len(k.Text) > killTextMost {
		return one, false
	}
	one = knownKill{recordKill{uint32(id), k.Input, k.Kind}, k.Text}
	return one, one.valid()
}
