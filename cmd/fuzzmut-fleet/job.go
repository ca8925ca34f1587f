package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// target is a fuzz test, or the unit tests of a package, as one tree has it.
type target struct {
	Package string `json:"package"`        // import path
	Fuzz    string `json:"fuzz,omitempty"` // "": the unit tests
	Binary  string `json:"binary"`         // by which shared directories know the test binary
}

// name is the target for people.
func (t *target) name() string {
	if t.Fuzz == "" {
		return t.Package
	}
	return t.Fuzz
}

// job is what a server has done.
type job struct {
	Kind    string   `json:"kind"` // of kinds
	Targets []target `json:"targets"`

	// Of fuzzing: slices are executions with a seed.
	Seed  int64 `json:"seed"`
	Execs int64 `json:"executions"` // of a slice
	Dry   int   `json:"dry"`        // rounds without a find after which a fuzz test gets no more slices; 0: any number

	Live bool `json:"live,omitempty"` // a slice begins with all kills that are known then

	Slices    int    `json:"slices"` // of a target in a round, on average; or parts of the mutants
	Rounds    int    `json:"rounds"`
	Time      string `json:"time,omitempty"` // of triage, for each part
	Toolchain string `json:"toolchain"`      // with which the server has built; for messages
}

// id names a job by its content: the same job again goes on where it was.
func (j *job) id() string {
	text, err := json.Marshal(j)
	if err != nil {
		panic(err) // it has numbers and strings
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// slice is a part of a job: what one worker does at a time.
type slice struct {
	Job    string `json:"job"`
	ID     string `json:"id"` // of the slice, within the job
	Target target `json:"target"`
	Seed   int64  `json:"seed,omitempty"`
	Execs  int64  `json:"executions,omitempty"`
	Part   int    `json:"part,omitempty"` // of the mutants, from 1
	Base   string `json:"base,omitempty"` // the object with what it begins with; "": with nothing
}

// key is the name under which a slice counts.
func (s *slice) key() string { return s.Job + "." + s.ID }

// round lists the slices of a round, from 0. shares are how many each target gets, had is how many
// it had before, and bases are the objects with what its slices begin with.
func (j *job) round(n int, shares, had []int, bases []string) (list []slice) {
	for t := range j.Targets {
		for i := range shares[t] {
			s := slice{Job: j.id(), ID: fmt.Sprintf("r%d-t%d-s%d", n, t, i), Target: j.Targets[t], Base: bases[t]}
			if j.Kind == kindFuzz {
				s.Seed, s.Execs = j.Seed+int64(had[t]+i), j.Execs
			} else {
				s.Part = i + 1
			}
			list = append(list, s)
		}
	}
	return list
}

var (
	fuzzName   = regexp.MustCompile(`^Fuzz[\pL\pN_]*$`)
	binaryName = regexp.MustCompile(`^[0-9a-f]{64}$`)
	objectName = regexp.MustCompile(`^[0-9a-zA-Z.-]{1,100}$`)
)

// check makes sure that a job is one that a server could have.
func (j *job) check() error {
	if kinds[j.Kind] == nil {
		return fmt.Errorf("it is of a kind that this version does not know: %q; install the same version as the server's", j.Kind)
	}
	if j.Execs < 1 && j.Kind == kindFuzz || j.Slices < 1 || j.Rounds < 1 || len(j.Targets) == 0 {
		return errors.New("a job without work")
	}
	for _, t := range j.Targets {
		if err := t.check(); err != nil {
			return err
		}
	}
	return nil
}

func (t *target) check() error {
	if t.Fuzz != "" && !fuzzName.MatchString(t.Fuzz) || !binaryName.MatchString(t.Binary) || t.Package == "" || !filepath.IsLocal(filepath.FromSlash(t.Package)) {
		return fmt.Errorf("%q in %q is no fuzz test of a package", t.Fuzz, t.Package)
	}
	return nil
}

func (s *slice) check() error {
	if s.Execs < 0 || s.Part < 0 || s.Part == 0 && s.Execs == 0 || !objectName.MatchString(s.Job) || !objectName.MatchString(s.ID) || s.Base != "" && !objectName.MatchString(s.Base) {
		return errors.New("a slice that can't be")
	}
	return s.Target.check()
}

// signed is a text with its signature.
type signed struct {
	Body      []byte `json:"body"`
	Signature []byte `json:"signature"`
}

// sign returns v as JSON, with a signature.
func sign(key ed25519.PrivateKey, v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return json.Marshal(signed{body, ed25519.Sign(key, body)})
}

var errSignature = errors.New("it is not signed by the server's key")

// verify reads into v what sign has returned.
func verify(key ed25519.PublicKey, text []byte, v any) error {
	var s signed
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("it can't be read: %w", err)
	}
	if !ed25519.Verify(key, s.Body, s.Signature) {
		return errSignature
	}
	return json.Unmarshal(s.Body, v)
}

// readKey returns the key in a file, which is made if need be.
func readKey(path string) (ed25519.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newKey(path)
	}
	if err != nil {
		return nil, err
	}
	seed, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s holds no key; remove it, and another is made", path)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func newKey(path string) (ed25519.PrivateKey, error) {
	seed := make([]byte, ed25519.SeedSize)
	rand.Read(seed) //nolint:errcheck // it never fails
	text := base64.RawURLEncoding.EncodeToString(seed) + "\n"
	return ed25519.NewKeyFromSeed(seed), replace(path, []byte(text), 0o600)
}

// replace writes a file, whole or not at all.
func replace(path string, data []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".fuzzmut-tmp-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// public is the text of a key that workers are given.
func public(key ed25519.PrivateKey) string {
	return base64.RawURLEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
}

// parsePublic reads what public returns.
func parsePublic(text string) (ed25519.PublicKey, error) {
	key, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("-key is not what the server has printed; copy the line of fuzzmut fleet serve")
	}
	return key, nil
}
