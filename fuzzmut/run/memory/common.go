package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/digest"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// common is what processes of a shared directory say of the same test binary, and what this one
// says to them. A nil one says nothing.
type common struct {
	log   *share.Log
	sync  func() (warning string, err error) // has a bucket be the same
	key   string                             // hash of what verdicts depend on, apart from the binary
	given map[verdicts.ID]verdicts.Verdict
}

// share opens what others say of the package's test binary; nil if no directory is shared.
func (m *Memory) share() (*common, error) {
	p := m.keeper.Project
	if p.Share == nil || m.pkg.Binary == "" {
		return nil, nil
	}
	binary, err := p.BinaryName(m.pkg.Program, m.pkg.Binary)
	if err != nil {
		return nil, err
	}
	c := &common{log: p.Share.NewLog(binary, m.pkg.Program.Test.ImportPath)}
	if c.key, err = m.keeper.commonKey(&m.pkg); err != nil {
		return nil, err
	}
	c.sync = func() (string, error) { return p.Share.Sync(share.Prefixes("", "", binary)...) }
	if warning, err := c.sync(); err != nil {
		m.notShared(err)
	} else if warning != "" {
		m.pkg.Warn("-share: " + warning)
	}
	records, err := p.Share.NewReader(binary, c.log).Next()
	if err != nil {
		m.pkg.Warn("-share: " + err.Error())
	}
	c.given = agreed(records, c.key)
	return c, nil
}

// agreed returns the verdicts that were given under a key, and on which no two processes
// disagree. Each process has its last one.
func agreed(records []share.Record, key string) map[verdicts.ID]verdicts.Verdict {
	given, apart := make(map[verdicts.ID]verdicts.Verdict), make(map[verdicts.ID]bool)
	last := make(map[verdicts.ID]*share.Verdict)
	end := func() { // of what one process says
		for id, v := range last {
			have, ok := given[id]
			switch {
			case v.Withdrawn || ok && have.Status != v.Verdict.Status:
				apart[id] = true
			case !ok:
				given[id] = v.Verdict
			}
		}
		clear(last)
	}
	for _, r := range records {
		if r.Begin != nil {
			end()
		}
		if v := r.Verdict; v != nil && (v.Key == key) {
			last[verdicts.ID{Package: v.Package, Mutant: v.Mutant}] = v
		}
	}
	end()
	for id := range apart {
		delete(given, id)
	}
	return given
}

// known is the verdict of others on a mutant.
func (c *common) known(m *instrument.Mutant) (v verdicts.Verdict, ok bool) {
	if c != nil {
		v, ok = c.given[verdicts.ID{Package: m.Package, Mutant: m.ID}]
	}
	return v, ok
}

// add leaves a verdict, or that it was taken back.
func (c *common) add(m *instrument.Mutant, v verdicts.Verdict, withdrawn bool) error {
	if c == nil {
		return nil
	}
	return c.log.Add(share.Record{Verdict: &share.Verdict{Package: m.Package, Mutant: m.ID, Key: c.key, Verdict: v, Withdrawn: withdrawn}})
}

func (c *common) close() error {
	if c == nil {
		return nil
	}
	err := c.log.Close()
	if err == nil {
		_, err = c.sync()
	}
	return err
}

// notShared warns, once, that verdicts can't be left for others.
func (m *Memory) notShared(err error) {
	if err != nil && !m.unshared {
		m.unshared = true
		m.pkg.Warn("-share: verdicts can't be left for others, and the run goes on: " + m.keeper.Project.Share.Problem(err))
	}
}

// commonKey hashes what verdicts depend on, apart from the test binary, as far as it is the same
// on other machines: fuzzmut itself, the options, the environment, and the content of testdata.
func (k *Keeper) commonKey(pkg *Package) (string, error) {
	self, err := k.hash()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write(self)
	o := &k.Options
	for _, v := range []any{o.Run, o.Skip, o.Short, strings.Join(o.Args, "\x00"), o.Timeout, o.MemLimit} {
		digest.Add(h, v)
	}
	for _, v := range slices.Sorted(slices.Values(k.Project.Options.Env)) {
		name, _, _ := strings.Cut(v, "=")
		if (strings.HasPrefix(v, "GO") || strings.HasPrefix(v, "CGO_")) && !slices.Contains(places, name) {
			digest.Add(h, v)
		}
	}
	hashContent(h, filepath.Join(pkg.Program.Test.Dir, "testdata"))
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// places are variables that say where things are, or where they come from, not what they are.
// The version of Go is a part of the name of the binary.
var places = []string{
	"GOCACHE", "GOTMPDIR", "GOMODCACHE", "GOPATH", "GOENV", "GOBIN", "GOROOT", "GOTOOLDIR", "GOTOOLCHAIN",
	"GOPROXY", "GOSUMDB", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOINSECURE", "GOVCS", "GOAUTH", "GOTELEMETRY",
}

// contentMost bounds the bytes that are hashed of the files of a directory.
const contentMost = 256 << 20

// hashContent hashes the files below dir: their names, and what is in them. Where they are too
// large for that, their sizes and times stand for it.
func hashContent(h hash.Hash, dir string) {
	left := int64(contentMost)
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what can't be read is no data of a test that passes
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return nil
		}
		digest.Add(h, filepath.ToSlash(rel))
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		if left -= info.Size(); left < 0 {
			digest.Add(h, fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
			return nil
		}
		digest.Add(h, info.Size())
		if f, err := os.Open(path); err == nil {
			defer f.Close()
			io.Copy(h, f) //nolint:errcheck // as above
		}
		return nil
	})
}
