package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

var (
	//go:embed page.css
	pageStyle string
	//go:embed page.tmpl
	pageText string

	pageTemplate = template.Must(template.New("page").Parse(pageText))
)

// checkPage makes sure that the page has an address of this machine alone.
func (s *service) checkPage() error {
	if s.http == "off" {
		return nil
	}
	host, _, err := net.SplitHostPort(s.http)
	if err != nil {
		return fmt.Errorf("-http %s: %w; write host:port, or off", s.http, err)
	}
	if !loopback(host) {
		return fmt.Errorf("-http %s: the page has no users and no TLS: it is shown on this machine alone; write 127.0.0.1 and a port, or off", s.http)
	}
	return nil
}

// page serves the state as a page for browsers of this machine, and says where. The function ends
// that.
func (s *service) page(ctx context.Context) (end func(), err error) {
	if s.http == "off" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", s.http)
	if err != nil {
		return nil, fmt.Errorf("-http: %w; choose another port", err)
	}
	srv := &http.Server{Handler: pageHandler(s.store.view), ReadHeaderTimeout: 5 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	go srv.Serve(l) //nolint:errcheck // it ends with the job
	fmt.Fprintf(s.out, "state: http://%s/\n", l.Addr())
	return func() { srv.Close() }, nil //nolint:errcheck // nobody waits for it
}

// loopback reports whether an address is one of this machine alone.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// pageHandler shows what look returns. A name of another host is refused: a page of somebody else's
// could have it mean this machine.
func pageHandler(look func(context.Context) (*view, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		switch {
		case !loopback(strings.Trim(host, "[]")):
			http.Error(w, "the page is for this machine", http.StatusForbidden)
			return
		case r.URL.Path != "/":
			http.NotFound(w, r)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), attempt)
		defer cancel()
		v, err := look(ctx)
		var text []byte
		if err == nil {
			text, err = v.page(time.Now())
		}
		if err != nil {
			if errors.Is(err, context.Canceled) {
				return
			}
			http.Error(w, "the state can't be read: "+first(err), http.StatusServiceUnavailable)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		w.Write(text) //nolint:errcheck // the reader has gone
	})
}

// pageData is what the template has.
type pageData struct {
	*view
	Style  template.CSS
	What   string
	State  string
	Tiles  []tile
	Charts []chart
	Bars   []bar
	Bugs   []bug
	Now    string
}

type tile struct{ Class, Value, Text string }

// bar is a worker.
type bar struct {
	Name, What string
	Done       int
}

// chart is how a number grows.
type chart struct {
	Class, Title, Line, Area, End, Last string
}

const chartWidth, chartHeight = 300, 100

// page makes the page.
func (v *view) page(now time.Time) ([]byte, error) {
	d := &pageData{view: v, Style: template.CSS(pageStyle), State: "in progress", Now: now.UTC().Format("15:04:05 UTC"), Bugs: slices.Clone(v.progress.Bugs)}
	if v.Ended {
		d.State = "ended"
	}
	d.What = map[string]string{kindFuzz: "fuzzing", kindTest: "mutants against unit tests", kindTriage: "failing inputs with mutants"}[v.Kind]
	d.Tiles = []tile{
		{"k", fmt.Sprintf("%d of %d", v.Done, v.Slices), "slices done"},
		{"i", fmt.Sprint(v.Leased), "leased"},
		{"i", fmt.Sprint(v.Waiting), "waiting"},
		{"p", fmt.Sprint(len(v.Workers)), "workers"},
		{"n", fmt.Sprint(v.Execs), "executions"},
	}
	if v.Kind != kindTriage {
		d.Tiles = append(d.Tiles, tile{"k", fmt.Sprintf("%d of %d", v.Killed, v.Mutants), "mutants killed"})
		d.Charts = append(d.Charts, v.chart("k", "kills", func(p point) int64 { return int64(p.Killed) }))
	}
	d.Charts = append(d.Charts, v.chart("n", "executions", func(p point) int64 { return p.Execs }))
	if v.Kind == kindFuzz {
		d.Tiles = append(d.Tiles, tile{"s", fmt.Sprint(len(d.Bugs)), "bugs, by kind and place"})
		d.Charts = append(d.Charts, v.chart("s", "bugs", func(p point) int64 { return int64(p.Bugs) }))
	}
	if v.Failed > 0 {
		d.Tiles = append(d.Tiles, tile{"x", fmt.Sprint(v.Failed), "slices without a result"})
	}
	for _, name := range v.names() {
		d.Bars = append(d.Bars, bar{name, v.doing(name, now), v.Workers[name].Done})
	}
	slices.SortStableFunc(d.Bugs, func(a, b bug) int { return b.Slices - a.Slices })
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, d)
	return b.Bytes(), err
}

// chart draws a number of the points.
func (v *view) chart(class, title string, of func(point) int64) chart {
	c := chart{Class: class, Title: title, Last: "0", End: "0 s"}
	if len(v.Points) == 0 {
		return c
	}
	last := v.Points[len(v.Points)-1]
	most, end := max(1, of(last)), max(1, last.Seconds)
	c.Last, c.End = fmt.Sprint(of(last)), (time.Duration(last.Seconds) * time.Second).String()
	var line []string
	at := func(seconds int, n int64) string {
		return fmt.Sprintf("%d,%d", seconds*chartWidth/end, chartHeight-min(n, most)*chartHeight/most)
	}
	before := int64(0)
	for _, p := range v.Points {
		line = append(line, at(p.Seconds, before), at(p.Seconds, of(p))) // it grows when a slice counts
		before = of(p)
	}
	c.Line = at(0, 0) + " " + strings.Join(line, " ")
	c.Area = fmt.Sprintf("%s %d,%d", c.Line, chartWidth, chartHeight)
	return c
}
