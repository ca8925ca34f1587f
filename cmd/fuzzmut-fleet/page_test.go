package main

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestThePageShowsTheState(t *testing.T) {
	text, err := someView().page(time.Unix(5, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<meta http-equiv="refresh" content="5">`, "<b>3 of 4</b><span>slices done</span>", "<b>8 of 9</b><span>mutants killed</span>",
		"<td>FuzzA</td><td>3</td><td>30</td><td>8</td><td>9</td><td>9</td><td>4 in 2 slices</td>",
		"<td>FuzzA</td><td>panic</td><td>2</td><td>a &lt;b&gt;\x1b<br><code>p.F p.go:3</code></td>",
		"<td>b</td><td>1</td><td>FuzzA r0-t0-s3 for 5s</td>",
		`points="0,100 100,100 100,75 200,75 200,50 300,50 300,0"`, "as of 00:00:05 UTC",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, no := range []string{"<script", "http://", "https://", "src="} {
		if strings.Contains(string(text), no) {
			t.Errorf("%s is in the page", no)
		}
	}
	v := someView()
	v.Ended, v.Points, v.Workers, v.Kind = true, nil, nil, kindTriage
	if text, err := v.page(time.Unix(5, 0)); err != nil || strings.Contains(string(text), "refresh") || strings.Contains(string(text), "Failing inputs by bug") {
		t.Errorf("%v: %s", err, text)
	}
}

var update = flag.Bool("update", false, "write the golden file of the page")

// The page is a golden file: the browser tests of package page, in the other module, open it.
func TestThePageIsTheGoldenOne(t *testing.T) {
	v := someView()
	v.Bugs = append(v.Bugs, bug{Fuzz: "FuzzA", Kind: "panic", Message: strings.Repeat("long", 50), Frame: "p.(*" + strings.Repeat("Type", 20) + ").F p.go:30", Slices: 3})
	got, err := v.page(time.Unix(5, 0))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "page.html")
	if *update {
		write(file, string(got))
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != string(got) {
		t.Errorf("%v; go test -update writes %s: got\n%s", err, file, got)
	}
}

// The style is a part of that of results: a module can't embed the files of another one.
func TestTheStyleIsThatOfResults(t *testing.T) {
	all, err := os.ReadFile(filepath.Join("..", "..", "fuzzmut", "record", "format", "page", "page.css"))
	if err != nil {
		t.Fatal(err)
	}
	rest := strings.Split(string(all), "\n")
	for line := range strings.Lines(pageStyle) {
		at := slices.Index(rest, strings.TrimSuffix(line, "\n"))
		if at < 0 {
			t.Fatalf("not in the page.css of results, or in another order: %s", line)
		}
		rest = rest[at+1:]
	}
}

func TestThePageIsForThisMachine(t *testing.T) {
	broken := false
	h := pageHandler(func(context.Context) (*view, error) {
		if broken {
			return nil, errors.New("gone\nfor now")
		}
		return someView(), nil
	})
	for _, c := range []struct {
		method, host, path string
		broken             bool
		code               int
	}{
		{"GET", "127.0.0.1:80", "/", false, http.StatusOK},
		{"GET", "[::1]:80", "/", false, http.StatusOK},
		{"HEAD", "localhost", "/", false, http.StatusOK},
		{"GET", "attacker.example:80", "/", false, http.StatusForbidden},
		{"GET", "192.0.2.1:80", "/", false, http.StatusForbidden},
		{"GET", "127.0.0.1:80", "/x", false, http.StatusNotFound},
		{"POST", "127.0.0.1:80", "/", false, http.StatusMethodNotAllowed},
		{"GET", "127.0.0.1:80", "/", true, http.StatusServiceUnavailable},
	} {
		broken = c.broken
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.code {
			t.Errorf("%s %s%s: %d, want %d", c.method, c.host, c.path, w.Code, c.code)
		}
		if w.Code == http.StatusOK && !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Error("scripts may run")
		}
	}
}

// The page is there while a job is in progress.
func TestServeShowsThePage(t *testing.T) {
	module(t, "")
	s, joins := served(t, filepath.Join(t.TempDir(), "found"), "-slices", "1")
	url := s.await(t, `state: (http://127\.0\.0\.1:\d+/)`)[1]
	res, err := http.Get(url)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res, err)
	}
	res.Body.Close() //nolint:errcheck // it was read as far as it matters
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
	if res, err := http.Get(url); err == nil {
		t.Error("it is there after the end", res.Status)
	}
}
