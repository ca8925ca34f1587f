// Fuzzmut-cloud gives fuzzmut access to buckets: fuzzmut -share s3://BUCKET starts it. It is a separate
// module, so that fuzzmut needs none of what the providers need.
//
// It reads requests from its standard input and writes a reply to each to its standard output, as
// lines of JSON: package fuzzmut/record/share/bucket says what they hold. The bucket is that of
// its argument, a URL of gocloud.dev/blob; it ends with its input.
//
// A URL of the scheme mem is a bucket in memory, for tests.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // the scheme azblob
	_ "gocloud.dev/blob/fileblob"  // file
	_ "gocloud.dev/blob/gcsblob"   // gs
	_ "gocloud.dev/blob/memblob"   // mem
	_ "gocloud.dev/blob/s3blob"    // s3
	"gocloud.dev/gcerrors"
)

type request struct {
	Op     string `json:"op"` // "list", "get", "put" or "delete"
	Prefix string `json:"prefix,omitempty"`
	Files  []file `json:"files,omitempty"` // of "get" and "delete", the names alone
}

type file struct {
	Name string    `json:"name"`
	Data []byte    `json:"data,omitempty"`
	Size int64     `json:"size,omitempty"`
	Time time.Time `json:"time,omitzero"`
	Gone bool      `json:"gone,omitempty"` // of "get": there is no such object
}

type reply struct {
	Error string `json:"error,omitempty"`
	Files []file `json:"files,omitempty"`
}

const (
	timeout = time.Minute      // of a request
	soon    = 20 * time.Second // of a list, which each run begins with
	atOnce  = 16               // objects
	most    = 64 << 20         // bytes of an object
)

func main() {
	if len(os.Args) != 2 || !strings.Contains(os.Args[1], "://") {
		fmt.Fprintln(os.Stderr, "fuzzmut-cloud is started by fuzzmut -share URL, with a URL of s3, gs, azblob or file")
		os.Exit(2)
	}
	signal.Ignore(os.Interrupt) // fuzzmut leaves what it found, and closes the input
	replies := os.Stdout
	os.Stdout = os.Stderr // the libraries of providers print warnings
	if err := serve(os.Args[1], os.Stdin, replies); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzmut-cloud:", err)
		os.Exit(1)
	}
}

// serve replies to requests until there are no more.
func serve(url string, in io.Reader, out io.Writer) error {
	ctx := context.Background()
	bucket, failed := blob.OpenBucket(ctx, url)
	if failed == nil {
		defer bucket.Close()
	}
	d, w := json.NewDecoder(in), bufio.NewWriter(out)
	e := json.NewEncoder(w)
	for {
		var q request
		if err := d.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		var files []file
		err := failed
		if err == nil {
			files, err = answer(ctx, bucket, &q)
		}
		r := reply{Files: files}
		if err != nil {
			r = reply{Error: said(err)}
		}
		if err := errors.Join(e.Encode(r), w.Flush()); err != nil {
			return fmt.Errorf("writing a reply: %w", err)
		}
	}
}

// denied is how errors of S3, Google and Azure give a status that gocloud.dev does not know.
var denied = regexp.MustCompile(`(StatusCode: |Error |RESPONSE )40[13]\b`)

// said is what an error says, on one line.
func said(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	var refused *net.OpError // gocloud.dev takes a host without an address for an object that is not there
	switch {
	case errors.As(err, &refused):
		return "no server answers there: " + text
	case strings.Contains(text, "get credentials:") || strings.Contains(text, "DefaultAzureCredential: failed"):
		return "there are no credentials: " + text
	case denied.MatchString(text):
		return "access is denied: " + text
	}
	switch gcerrors.Code(err) {
	case gcerrors.NotFound:
		return "there is no such bucket, or object: " + text
	case gcerrors.PermissionDenied:
		return "access is denied: " + text
	case gcerrors.DeadlineExceeded:
		return "no answer in time: " + text
	}
	return text
}

func answer(ctx context.Context, b *blob.Bucket, q *request) ([]file, error) {
	limit := timeout
	if q.Op == "list" {
		limit = soon
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	switch q.Op {
	case "list":
		return list(ctx, b, q.Prefix)
	case "get":
		return q.Files, each(q.Files, func(f *file) error { return get(ctx, b, f) })
	case "put":
		return nil, each(q.Files, func(f *file) error { return b.WriteAll(ctx, f.Name, f.Data, nil) })
	case "delete":
		return nil, each(q.Files, func(f *file) error { return ignoreGone(b.Delete(ctx, f.Name)) })
	}
	return nil, fmt.Errorf("a request of fuzzmut's that this fuzzmut-cloud does not know: %q; install a later one", q.Op)
}

func list(ctx context.Context, b *blob.Bucket, prefix string) (files []file, err error) {
	for it := b.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := it.Next(ctx)
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file{Name: o.Key, Size: o.Size, Time: o.ModTime})
	}
}

func get(ctx context.Context, b *blob.Bucket, f *file) error {
	r, err := b.NewReader(ctx, f.Name, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		f.Gone = true
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	if r.Size() > most {
		return fmt.Errorf("%s has %d bytes", f.Name, r.Size())
	}
	f.Data, err = io.ReadAll(io.LimitReader(r, most))
	return err
}

func ignoreGone(err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return err
}

// each does something with files, several at a time, and returns the first error.
func each(files []file, do func(*file) error) error {
	var wg sync.WaitGroup
	errs, turn := make([]error, len(files)), make(chan struct{}, atOnce)
	for i := range files {
		turn <- struct{}{}
		wg.Go(func() {
			errs[i] = do(&files[i])
			<-turn
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
