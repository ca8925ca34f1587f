package main

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A server that sends its test binaries puts each into the object store, in parts: who was
// interrupted goes on with the next part. What they are is in a text that the server signs. A
// worker that fetches them runs nothing whose hash is not there.

const (
	partMost     = 4 << 20   // bytes of a part
	binaryMost   = 512 << 20 // of a packed binary
	binariesMost = 2 << 30   // of all of a job
	partsOfOne   = binaryMost / partMost

	binariesKey = "binaries" // of the signed text, in the bucket of jobs
	binaryOwner = "binary."  // begins the names of parts

	// keptFor is how long a worker's machine keeps what it has fetched, if the worker did not
	// see the end of its job.
	keptFor = 7 * 24 * time.Hour
)

// binaries are what a server sends.
type binaries struct {
	Job      string       `json:"job"`
	Platform string       `json:"platform"` // that they run on
	List     []sentBinary `json:"list"`
}

// sentBinary is a packed test binary, as fuzzmut -pack leaves it.
type sentBinary struct {
	Name  string   `json:"name"` // target.Binary
	Sum   string   `json:"sum"`  // SHA-256 of all of it
	Parts []string `json:"parts"`
}

// platform is that of this process.
func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// object names the i-th part in the object store.
func (b *sentBinary) object(i int) string { return fmt.Sprintf("%s%s.%d", binaryOwner, b.Sum, i) }

// check makes sure that binaries are those that a server could have.
func (b *binaries) check() error {
	for i := range b.List {
		one := &b.List[i]
		if !binaryName.MatchString(one.Name) || !binaryName.MatchString(one.Sum) || len(one.Parts) == 0 || len(one.Parts) > partsOfOne || slices.ContainsFunc(one.Parts, func(sum string) bool { return !binaryName.MatchString(sum) }) {
			return errors.New("a binary that can't be")
		}
	}
	return nil
}

// sendBinaries puts the packed binaries of the job into the object store, and says what they are.
func (s *service) sendBinaries(ctx context.Context) error {
	if !s.sends {
		return nil
	}
	all := binaries{Job: s.job.id(), Platform: platform()}
	total := int64(0)
	for _, t := range s.job.Targets {
		if slices.ContainsFunc(all.List, func(b sentBinary) bool { return b.Name == t.Binary }) {
			continue
		}
		file := filepath.Join(s.runner.packs, t.Binary+".zip")
		size, why := s.sendable(ctx, file, &t)
		if total += size; why == "" && total > binariesMost {
			why = fmt.Sprintf("the binaries have more than %d GiB together", binariesMost>>30)
		}
		if why != "" {
			fmt.Fprintf(s.out, "the test binary of %s is not sent: %s; its workers need a checkout\n", t.Package, why)
			continue
		}
		b, err := s.send(ctx, file, t.Binary)
		if err != nil {
			return err
		}
		all.List = append(all.List, *b)
	}
	text, err := sign(s.key, &all)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d test binaries are sent, %.1f MB: workers on %s join without a checkout by -fetch\n", len(all.List), float64(total)/1e6, all.Platform)
	return put(ctx, s.store.jobs, binariesKey, text)
}

// sendable says why a packed binary can't be sent; "": it can. What it needs is there if its
// seeds pass far from the source.
func (s *service) sendable(ctx context.Context, file string, t *target) (size int64, why string) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return 0, "what is compiled depends on more than Go source"
	case info.Size() > binaryMost:
		return 0, fmt.Sprintf("it has more than %d MiB", binaryMost>>20)
	}
	far := runner{path: s.runner.path, dir: filepath.Join(s.runner.temp, "far"), temp: filepath.Join(s.runner.temp, "far"), packed: file}
	if err := os.MkdirAll(far.dir, 0o777); err != nil {
		return 0, first(err)
	}
	defer os.RemoveAll(far.dir)
	parts, err := far.runFuzz(ctx, "-n", "-share", far.none(), "-fuzz", exactly(t.Fuzz), "-fuzztime", "1x", "-seed", "1")
	if err != nil {
		return 0, "it does not run without the source: " + first(err)
	}
	if len(parts) != 1 || parts[0].Shared.Binary != t.Binary {
		return 0, "it is another one without the source"
	}
	return info.Size(), ""
}

// send puts the parts of a file into the object store that are not there.
func (s *service) send(ctx context.Context, file, name string) (*sentBinary, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	b := &sentBinary{Name: name, Sum: sumOf(data)}
	for part := range slices.Chunk(data, partMost) {
		b.Parts = append(b.Parts, sumOf(part))
	}
	for i := range b.Parts {
		if s.store.has(ctx, b.object(i)) {
			continue
		}
		if err := s.store.putObject(ctx, b.object(i), data[i*partMost:min(len(data), (i+1)*partMost)]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// has reports whether an object is there, whole.
func (s *store) has(ctx context.Context, name string) bool {
	err := once(ctx, func(ctx context.Context) error {
		_, err := s.files.GetInfo(ctx, name)
		return err
	})
	return err == nil
}

// removeBinaries removes what sendBinaries has put, once no worker needs it.
func (s *service) removeBinaries(ctx context.Context) error {
	if !s.sends {
		return nil
	}
	all, err := s.store.binaries(ctx, s.key.Public().(ed25519.PublicKey))
	if err != nil || all == nil {
		return err
	}
	for i := range all.List {
		for part := range all.List[i].Parts {
			err = errors.Join(err, once(ctx, func(ctx context.Context) error {
				return ignoreGone(s.store.files.Delete(ctx, all.List[i].object(part)))
			}))
		}
	}
	return errors.Join(err, once(ctx, func(ctx context.Context) error { return s.store.jobs.Delete(ctx, binariesKey) }))
}

// binaries reads what the server sends; nil: nothing.
func (s *store) binaries(ctx context.Context, key ed25519.PublicKey) (*binaries, error) {
	text, err := get(ctx, s.jobs, binariesKey)
	if err != nil || text == nil {
		return nil, err
	}
	all := new(binaries)
	if err := verify(key, text, all); err != nil {
		return nil, fmt.Errorf("the list of binaries is refused: %w", err)
	}
	if err := all.check(); err != nil {
		return nil, fmt.Errorf("the list of binaries is refused: %w", err)
	}
	return all, nil
}

// offered lists the targets whose binaries the server sends and that match -fuzz.
func (w *worker) offered(ctx context.Context) (list []target, err error) {
	re, err := regexp.Compile(w.fuzz)
	if err != nil {
		return nil, fmt.Errorf("-fuzz: %w", err)
	}
	all, err := w.store.binaries(ctx, w.key)
	if err != nil {
		return nil, err
	}
	switch {
	case all == nil || all.Job != w.job.id() || len(all.List) == 0:
		return nil, errors.New("the server sends no test binaries: start it with -send, or join from a checkout without -fetch")
	case all.Platform != platform():
		return nil, fmt.Errorf("the server's test binaries are for %s, and this is %s; join from a checkout without -fetch, to see whether it builds the same", all.Platform, platform())
	}
	w.sent = make(map[string]*sentBinary)
	for i := range all.List {
		w.sent[all.List[i].Name] = &all.List[i]
	}
	for _, t := range w.job.Targets {
		if w.sent[t.Binary] != nil && re.MatchString(t.Fuzz) {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no fuzz test whose binary is sent matches -fuzz %s; leave it out", w.fuzz)
	}
	return list, nil
}

// binariesDir is where a machine keeps what it has fetched.
func binariesDir() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "fuzzmut", "fleet", "binaries"), err
}

// fetchBinary returns the file with a packed binary, which is fetched if it is not there. Parts that
// are there from before are not fetched again.
func (w *worker) fetchBinary(ctx context.Context, b *sentBinary) (file string, err error) {
	dir, err := binariesDir()
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, b.Sum+".zip")
	if sum, err := hashFile(file); err == nil && sum == b.Sum {
		return file, nil
	}
	for i, sum := range b.Parts {
		if err := w.fetchPart(ctx, filepath.Join(dir, sum+partSuffix), sum, b.object(i)); err != nil {
			return "", err
		}
	}
	return file, b.join(dir, file)
}

const partSuffix = ".part"

func (w *worker) fetchPart(ctx context.Context, file, sum, object string) error {
	if have, err := hashFile(file); err == nil && have == sum {
		return nil
	}
	data, err := w.store.object(ctx, object)
	switch {
	case err != nil:
		return err
	case data == nil:
		return errors.New("the test binary is gone from the server")
	case sumOf(data) != sum:
		return errors.New("the test binary is not what the server has signed")
	}
	return replace(file, data, 0o666)
}

// join makes the file of its parts, which are removed.
func (b *sentBinary) join(dir, file string) error {
	f, err := os.CreateTemp(dir, ".fuzzmut-tmp-")
	if err != nil {
		return err
	}
	h := sha256.New()
	for _, sum := range b.Parts {
		data, readErr := os.ReadFile(filepath.Join(dir, sum+partSuffix))
		h.Write(data)
		_, err = f.Write(data)
		if err = errors.Join(readErr, err); err != nil {
			break
		}
	}
	if err = errors.Join(err, f.Close()); err == nil && hex.EncodeToString(h.Sum(nil)) != b.Sum {
		err = errors.New("the test binary is not what the server has signed")
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	for _, sum := range b.Parts {
		os.Remove(filepath.Join(dir, sum+partSuffix)) //nolint:errcheck // another worker may have done so
	}
	return nil
}

// removeFetched removes what a job has left in the cache of this machine: all of one that has ended,
// and what nobody has used for long.
func (w *worker) removeFetched(ended bool) {
	dir, err := binariesDir()
	if err != nil {
		return
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range files {
		sum, _, _ := strings.Cut(f.Name(), ".")
		info, err := f.Info()
		mine := ended && slices.ContainsFunc(slices.Collect(maps.Values(w.sent)), func(b *sentBinary) bool { return b.Sum == sum || slices.Contains(b.Parts, sum) })
		if mine || err == nil && time.Since(info.ModTime()) > keptFor {
			os.Remove(filepath.Join(dir, f.Name())) //nolint:errcheck // the next worker tries again
		}
	}
}
