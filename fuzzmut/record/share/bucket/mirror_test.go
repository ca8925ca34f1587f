package bucket

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// memory is a bucket in memory.
type memory struct {
	objects          map[string][]byte
	fails            error
	noGets, noWrites error // of Get, and of Put
}

func (m *memory) List(prefix string) (list []Object, err error) {
	for name, data := range m.objects {
		if strings.HasPrefix(name, prefix) {
			list = append(list, Object{Name: name, Size: int64(len(data)), Time: time.Now()})
		}
	}
	return list, m.fails
}

func (m *memory) Get(objects []Object) (got []Object, err error) {
	for _, o := range objects {
		data, ok := m.objects[o.Name]
		got = append(got, Object{Name: o.Name, Data: data, Gone: !ok})
	}
	return got, errors.Join(m.fails, m.noGets)
}

func (m *memory) Put(objects []Object) error {
	err := errors.Join(m.fails, m.noWrites)
	for _, o := range objects {
		if err == nil {
			m.objects[o.Name] = o.Data
		}
	}
	return err
}

func (m *memory) Delete(objects []Object) error {
	for _, o := range objects {
		delete(m.objects, o.Name)
	}
	return m.fails
}

// envPrograms names the directory with fuzzmut-cloud and fakes3, built of their module: make
// cloud does.
const envPrograms = "FUZZMUT_CLOUD"

// programs has the programs be found; the test is skipped if there are none.
func programs(t *testing.T) string {
	t.Helper()
	dir := os.Getenv(envPrograms)
	if dir == "" {
		t.Skip("make cloud runs it")
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return dir
}

// s3 starts a server that speaks S3's protocol, and returns the URL of a bucket there.
func s3(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(programs(t), "fakes3"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait() //nolint:errcheck // it has ended
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("no address")
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "x")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "y")
	return "s3://fuzz?region=us-east-1&use_path_style=true&disable_https=true&endpoint=http://" + lines.Text()
}

func start(t *testing.T, url string) *Process {
	t.Helper()
	p, err := Start(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// each runs a test with every kind of bucket.
func each(t *testing.T, test func(t *testing.T, s Store)) {
	t.Run("memory", func(t *testing.T) { test(t, &memory{objects: make(map[string][]byte)}) })
	for name, url := range map[string]func(t *testing.T) string{
		"mem":  func(*testing.T) string { return "mem://" },
		"file": func(t *testing.T) string { return "file://" + filepath.ToSlash(t.TempDir()) },
		"s3":   s3,
	} {
		t.Run(name, func(t *testing.T) {
			programs(t)
			test(t, start(t, url(t)))
		})
	}
}

// valid is for the tests: names that begin with d/.
func valid(name string) bool { return strings.HasPrefix(name, "d/") && filepath.IsLocal(name) }

func mirror(t *testing.T, s Store) *Mirror {
	t.Helper()
	return &Mirror{Dir: t.TempDir(), Store: s, Valid: valid}
}

func put(t *testing.T, m *Mirror, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (m *Mirror) run(t *testing.T, gone bool, prefix string) Result {
	t.Helper()
	r, err := m.Sync(gone, prefix)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// has checks the files of a mirror: name and content, in turn.
func has(t *testing.T, m *Mirror, want ...string) {
	t.Helper()
	sizes, err := m.local("")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for name := range sizes {
		data, err := os.ReadFile(m.path(name))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name, string(data))
	}
	if a, b := pairs(got), pairs(want); !reflect.DeepEqual(a, b) {
		t.Errorf("%q, want %q", a, b)
	}
}

func pairs(list []string) []string {
	out := []string{}
	for p := range slices.Chunk(list, 2) {
		out = append(out, strings.Join(p, "="))
	}
	slices.Sort(out)
	return out
}

func TestReadersHaveTheUnion(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		a, b := mirror(t, s), mirror(t, s)
		put(t, a, "d/x", "1")
		put(t, a, "d/a.log", "one")
		put(t, b, "d/y", "2")
		put(t, b, "d/b.log", "two")
		put(t, b, "d/z/"+strings.Repeat("w", 100), strings.Repeat("long", 10_000))
		if r := a.run(t, false, ""); r.Sent != 2 || r.Fetched != 0 {
			t.Errorf("%+v", r)
		}
		if r := b.run(t, false, "d/"); r.Sent != 3 || r.Fetched != 2 {
			t.Errorf("%+v", r)
		}
		put(t, a, "d/a.log", "one more") // a log grows
		if r := a.run(t, false, ""); r.Sent != 1 || r.Fetched != 3 {
			t.Errorf("%+v", r)
		}
		if r := b.run(t, false, ""); r.Sent != 0 || r.Fetched != 1 {
			t.Errorf("%+v", r)
		}
		want := []string{"d/x", "1", "d/y", "2", "d/a.log", "one more", "d/b.log", "two", "d/z/" + strings.Repeat("w", 100), strings.Repeat("long", 10_000)}
		has(t, a, want...)
		has(t, b, want...)
		if r := a.run(t, false, ""); r != (Result{}) {
			t.Errorf("again: %+v", r)
		}
	})
}

func TestWhatIsPrunedGoesEverywhere(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		a, b := mirror(t, s), mirror(t, s)
		put(t, a, "d/x", "1")
		put(t, a, "d/y", "2")
		put(t, a, "d/a.log", "one")
		a.run(t, false, "")
		b.run(t, false, "")
		for _, name := range []string{"d/x", "d/a.log"} {
			if err := os.Remove(b.path(name)); err != nil {
				t.Fatal(err)
			}
		}
		put(t, b, "d/joined.log", "one")
		put(t, a, "d/new", "3")
		a.run(t, false, "") // b has not seen it
		if r := b.run(t, true, ""); r.Removed != 2 {
			t.Errorf("%+v", r)
		}
		b.run(t, false, "")
		a.run(t, false, "")
		want := []string{"d/y", "2", "d/new", "3", "d/joined.log", "one"}
		has(t, a, want...)
		has(t, b, want...)
	})
}

func TestForeignObjectsAreIgnored(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		err := s.Put([]Object{{Name: "d/ok", Data: []byte("1")}, {Name: "other", Data: []byte("2")}, {Name: "d/a.log", Data: []byte("3")}, {Name: "d/b.log/12", Data: []byte("4")}, {Name: "d/c.log/000000000007", Data: []byte("torn")}})
		if err != nil {
			t.Fatal(err)
		}
		m := mirror(t, s)
		if r := m.run(t, false, ""); r.Foreign != 3 || r.Fetched != 1 {
			t.Errorf("%+v", r)
		}
		has(t, m, "d/ok", "1")
	})
}

func TestABucketThatGoesAwayLosesNothing(t *testing.T) {
	s := &memory{objects: make(map[string][]byte)}
	m := mirror(t, s)
	put(t, m, "d/x", "1")
	m.run(t, false, "")
	put(t, m, "d/y", "2")
	s.fails = errors.New("gone")
	if _, err := m.Sync(false, ""); !errors.Is(err, s.fails) {
		t.Error(err)
	}
	has(t, m, "d/x", "1", "d/y", "2")
	s.fails = nil
	if r := m.run(t, false, ""); r.Sent != 1 {
		t.Errorf("%+v", r)
	}
}

// A file that could not be sent is not one that was removed from the bucket.
func TestWhatCantBeSentStays(t *testing.T) {
	s := &memory{objects: make(map[string][]byte), noWrites: errors.New("denied")}
	m := mirror(t, s)
	put(t, m, "d/x", "1")
	put(t, m, "d/a.log", "one")
	for range 2 {
		if _, err := m.Sync(false, ""); !errors.Is(err, s.noWrites) {
			t.Error(err)
		}
		has(t, m, "d/x", "1", "d/a.log", "one")
	}
	s.noWrites = nil
	if r := m.run(t, false, ""); r.Sent != 2 || r.Removed != 0 {
		t.Errorf("%+v", r)
	}
}

// Nor is an object that could not be fetched one that was removed here.
func TestWhatCantBeFetchedStays(t *testing.T) {
	s := &memory{objects: map[string][]byte{"d/x": []byte("1")}, noGets: errors.New("cut")}
	m := mirror(t, s)
	if _, err := m.Sync(false, ""); !errors.Is(err, s.noGets) {
		t.Error(err)
	}
	if r := m.run(t, true, ""); r.Removed != 0 || len(s.objects) != 1 {
		t.Errorf("%+v", r)
	}
	s.noGets = nil
	m.run(t, false, "")
	has(t, m, "d/x", "1")
}

func TestNothingIsSentByAReader(t *testing.T) {
	s := &memory{objects: map[string][]byte{"d/x": []byte("1")}}
	m := mirror(t, s)
	m.ReadOnly = true
	put(t, m, "d/y", "2")
	if r := m.run(t, false, ""); r.Sent != 0 || r.Fetched != 1 || len(s.objects) != 1 {
		t.Errorf("%+v, %v", r, s.objects)
	}
}

func TestWithoutTheProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Start("s3://x"); err == nil || !strings.HasSuffix(err.Error(), Install) {
		t.Error(err)
	}
}

func TestWhatIsWrongIsOneLine(t *testing.T) {
	nowhere := func(*testing.T) string { return strings.Replace(s3url, "ADDRESS", "127.0.0.1:1", 1) }
	for name, c := range map[string]struct {
		url  func(t *testing.T) string
		key  string
		want string
	}{
		"no bucket":         {func(t *testing.T) string { return strings.Replace(s3(t), "fuzz", "other", 1) }, "x", "there is no such bucket"},
		"no directory":      {func(*testing.T) string { return "file:///no/such/directory" }, "x", "no such file"},
		"no scheme":         {func(*testing.T) string { return "x3://fuzz" }, "x", "x3"},
		"no server":         {nowhere, "x", "no server answers there"},
		"other credentials": {s3, "z", "access is denied"},
		"no credentials":    {nowhere, "", "there are no credentials"},
		"no account":        {func(*testing.T) string { return "azblob://fuzz" }, "x", "AccountName is required"},
	} {
		t.Run(name, func(t *testing.T) {
			programs(t)
			url := c.url(t)
			t.Setenv("AWS_ACCESS_KEY_ID", c.key)
			t.Setenv("AWS_SECRET_ACCESS_KEY", c.key)
			t.Setenv("AWS_EC2_METADATA_DISABLED", "true") // whatever machine this is
			for _, name := range []string{"AWS_PROFILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AZURE_STORAGE_ACCOUNT"} {
				t.Setenv(name, "")
			}
			t.Setenv("HOME", t.TempDir())
			_, err := start(t, url).List("")
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Error(err)
			}
		})
	}
}

const s3url = "s3://fuzz?region=us-east-1&use_path_style=true&disable_https=true&endpoint=http://ADDRESS"

func TestIsURL(t *testing.T) {
	for text, want := range map[string]bool{"s3://x": true, "file:///x": true, "/x": false, "x": false, `c:\x`: false, "../a://b": false, "": false} {
		if IsURL(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
