package share

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share/bucket"
)

// objects is a bucket in memory.
type objects map[string][]byte

func (m objects) List(prefix string) (list []bucket.Object, err error) {
	for name, data := range m {
		if strings.HasPrefix(name, prefix) {
			list = append(list, bucket.Object{Name: name, Size: int64(len(data))})
		}
	}
	return list, nil
}

func (m objects) Get(list []bucket.Object) ([]bucket.Object, error) {
	for i := range list {
		list[i].Data = m[list[i].Name]
	}
	return list, nil
}

func (m objects) Put(list []bucket.Object) error {
	for _, o := range list {
		m[o.Name] = o.Data
	}
	return nil
}

func (m objects) Delete(list []bucket.Object) error {
	for _, o := range list {
		delete(m, o.Name)
	}
	return nil
}

// machine opens the bucket on another machine.
func machine(t *testing.T, m objects) *Dir {
	t.Helper()
	d, err := openBucket("mem://x", filepath.Join(t.TempDir(), "copy"), m, true)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func syncs(t *testing.T, d *Dir, warns bool) {
	t.Helper()
	warning, err := d.Sync(Prefixes("example.com/p", "FuzzX", binary64)...)
	if err != nil || (warning != "") != warns {
		t.Errorf("%q, %v", warning, err)
	}
}

func TestMachinesShareABucket(t *testing.T) {
	m := make(objects)
	a, b := machine(t, m), machine(t, m)
	keep(t, a, Entries, "a")
	l := a.NewLog(binary64, "example.com/p")
	add(t, l, killOf(1))
	syncs(t, a, false)
	syncs(t, b, false)
	r := b.NewReader(binary64, nil)
	if got := next(t, r) + there(t, b, Entries); got != "1a" {
		t.Errorf("%q", got)
	}
	add(t, l, killOf(2))
	m[binary64+"/notes"] = nil
	syncs(t, a, true)
	syncs(t, a, false) // it was said
	syncs(t, b, true)
	if got := next(t, r); got != "2" {
		t.Errorf("%q", got)
	}
	if _, ok := m[markName]; !ok || a.Path() != "mem://x" {
		t.Errorf("%q, %v", a.Path(), m)
	}
}

func TestABucketThatCantBe(t *testing.T) {
	m := objects{markName: []byte(`{"format":"fuzzmut share","version":99}`)}
	if _, err := openBucket("mem://x", t.TempDir(), m, true); err == nil || !strings.Contains(err.Error(), "version 99") {
		t.Error(err)
	}
}

// silent is a bucket that takes 20 s to fail.
type silent struct {
	objects
	asked int
	fails error
	clock time.Time
}

func (s *silent) List(prefix string) ([]bucket.Object, error) {
	if s.asked++; s.fails != nil {
		s.clock = s.clock.Add(20 * time.Second)
		return nil, s.fails
	}
	return s.objects.List(prefix)
}

// A bucket that does not answer takes a tenth of the time at most, and the end of the run asks again.
func TestABucketThatDoesNotAnswerIsLeftAlone(t *testing.T) {
	s := &silent{objects: make(objects), clock: time.Unix(1e9, 0)}
	d, err := openBucket("mem://x", filepath.Join(t.TempDir(), "copy"), s, true)
	if err != nil {
		t.Fatal(err)
	}
	d.remote.now = func() time.Time { return s.clock }
	s.fails, s.asked = errors.New("silence"), 0
	for i, c := range []struct {
		later time.Duration
		asked int
	}{{0, 1}, {0, 1}, {199 * time.Second, 1}, {time.Second, 2}, {10 * time.Second, 2}} {
		s.clock = s.clock.Add(c.later)
		if _, err := d.Sync("x"); !errors.Is(err, s.fails) || s.asked != c.asked {
			t.Errorf("%d: %v, asked %d times", i, err, s.asked)
		}
	}
	s.fails = nil
	if _, err := d.SyncNow("x"); err != nil || s.asked != 3 {
		t.Errorf("%v, asked %d times", err, s.asked)
	}
	if _, err := d.Sync("x"); err != nil || s.asked != 4 {
		t.Errorf("%v, asked %d times", err, s.asked)
	}
}

// Names of objects are those of files: none leads elsewhere.
func TestNamesOfObjects(t *testing.T) {
	hash := strings.Repeat("0", 16)
	for name, want := range map[string]bool{
		markName: true, "entries/p/FuzzX/" + hash: true, "failing/example.com/p/FuzzX/" + hash: true, binary64 + "/abc.log": true,
		"entries/../../" + hash: false, "entries/p/../../../FuzzX/" + hash: false, "/entries/p/FuzzX/" + hash: false, "entries/FuzzX/" + hash: false, "entries//p/FuzzX/" + hash: false,
		`entries/p\..\..\x/FuzzX/` + hash: false, "entries/c:/FuzzX/" + hash: false, binary64 + "/../abc.log": false, binary64 + "/.log": false, binary64 + "/x": false, "": false, "other": false, "entries/p/FuzzX/notes": false,
	} {
		if validName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
