// Package bucket keeps a shared directory the same as a bucket of an object store, by way of a
// program that knows the provider.
//
// What is in a shared directory is in the bucket under the same name, and a log in parts: the
// object BINARY/PROCESS.log/OFFSET has what follows that offset. So no object is written
// twice: a process adds objects, and readers take the union.
package bucket

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
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
	dead  error // it no longer answers
}

// Start starts the program for the bucket of a URL. The error says how to get it.
func Start(url string) (*Process, error) {
	path, err := exec.LookPath(Program)
	if err != nil {
		return nil, fmt.Errorf("a bucket needs %s: get it with %s", Program, Install)
	}
	cmd := exec.Command(path, url)
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
	return &Process{cmd: cmd, in: in, write: json.NewEncoder(in), read: json.NewDecoder(out)}, nil
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
		p.dead = fmt.Errorf("%s has ended (%w)", Program, err)
		return nil, p.dead
	}
	if r.Error != "" {
		return nil, errors.New(r.Error)
	}
	return r.Files, nil
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
