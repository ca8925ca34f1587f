// Package bucket keeps a shared directory the same as a bucket of an object store, by way of a
// program that knows the provider.
//
// What is in a shared directory is in the bucket under the same name, and a log in parts: the
// object BINARY/PROCESS.log/OFFSET has what follows that offset. So no object is written
// twice: a process adds objects, and readers take the union.
package bucket

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Object is one object of a bucket.
type Object struct {
	Name string    `json:"name"`
	Data []byte    `json:"data,omitempty"`
	Size int64     `json:"size,omitempty"`
	Time time.Time `json:"time,omitzero"`
	Gone bool      `json:"gone,omitempty"` // of Get: there is none of that name
}

// Store is a bucket.
type Store interface {
	// List lists the objects whose names begin with prefix, without what is in them.
	List(prefix string) ([]Object, error)
	// Get reads objects. Those that are gone are marked.
	Get(objects []Object) ([]Object, error)
	// Put writes objects, and Delete removes them, whether they are there or not.
	Put(objects []Object) error
	Delete(objects []Object) error
}

// Program is the name of the program that knows the providers, and Install how to get it.
const (
	Program = "fuzzmut-cloud"
	Install = "go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut-cloud@latest"
)

// IsURL reports whether a directory is given as the URL of a bucket.
func IsURL(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// Process is a Store that the program serves. It is not for several goroutines at a time.
type Process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	write *json.Encoder
	read  *json.Decoder
	said  *lastLine // on its standard error
	dead  error     // it no longer answers
}

// Start starts the program for the bucket of a URL. The error says how to get it.
func Start(url string) (*Process, error) {
	path, err := exec.LookPath(Program)
	if err != nil {
		return nil, fmt.Errorf("a bucket needs %s: get it with %s", Program, Install)
	}
	cmd := exec.Command(path, url)
	said := new(lastLine)
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s can't be started: %w; install it again with %s", path, err, Install)
	}
	return &Process{cmd: cmd, in: in, write: json.NewEncoder(in), read: json.NewDecoder(out), said: said}, nil
}

// lastLine keeps the end of what the program says.
type lastLine struct {
	mu   sync.Mutex
	text []byte
}

// lineMost bounds what is kept, in bytes.
const lineMost = 400

func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	l.text = l.text[max(0, len(l.text)-lineMost):]
	return len(p), nil
}

func (l *lastLine) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(l.text), []byte{'\n'})
	return string(bytes.TrimSpace(lines[len(lines)-1]))
}

// Close ends the program.
func (p *Process) Close() error {
	p.in.Close()
	return p.cmd.Wait()
}

type request struct {
	Op     string   `json:"op"`
	Prefix string   `json:"prefix,omitempty"`
	Files  []Object `json:"files,omitempty"`
}

// ask sends a request and reads its reply.
func (p *Process) ask(q request) ([]Object, error) {
	if p.dead != nil {
		return nil, p.dead
	}
	var r struct {
		Error string   `json:"error"`
		Files []Object `json:"files"`
	}
	err := p.write.Encode(q)
	if err == nil {
		err = p.read.Decode(&r)
	}
	if err != nil {
		p.dead = p.ended(err)
		return nil, p.dead
	}
	if r.Error != "" {
		return nil, errors.New(r.Error)
	}
	return r.Files, nil
}

// ended is what to say when the program no longer answers: what it said last, if it has.
func (p *Process) ended(err error) error {
	p.in.Close()
	p.cmd.Process.Kill() //nolint:errcheck // it may have ended
	p.cmd.Wait()         //nolint:errcheck // its standard error is what counts
	if text := p.said.String(); text != "" {
		return fmt.Errorf("%s has ended (%w): %s", Program, err, text)
	}
	return fmt.Errorf("%s has ended (%w)", Program, err)
}

func (p *Process) List(prefix string) ([]Object, error) {
	return p.ask(request{Op: "list", Prefix: prefix})
}

func (p *Process) Get(objects []Object) ([]Object, error) {
	got, err := p.ask(request{Op: "get", Files: objects})
	if err == nil && len(got) != len(objects) {
		err = fmt.Errorf("%s has answered %d of %d requests", Program, len(got), len(objects))
	}
	return got, err
}

func (p *Process) Put(objects []Object) error {
	_, err := p.ask(request{Op: "put", Files: objects})
	return err
}

func (p *Process) Delete(objects []Object) error {
	_, err := p.ask(request{Op: "delete", Files: objects})
	return err
}
