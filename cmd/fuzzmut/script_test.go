package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/fuzz"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/suggest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

var update = flag.Bool("update", false, "rewrite the expectations in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fuzzmut": main, "fuzzmut-faulty": faulty, "fuzzmut-patient": patient})
}

// faulty is the command with a fault in one of its goroutines, which $FAULT names.
func faulty() {
	t := newTool()
	job := t.jobs.fuzz
	t.jobs.fuzz = func(ctx context.Context, o fuzz.Options) (*report.Report, error) {
		events, fault, minimizing := o.Events, os.Getenv("FAULT"), false
		o.Events = func(e project.Event) {
			minimizing = minimizing || e.Phase != nil && strings.Contains(e.Phase.Text, "minimizing")
			switch {
			case fault == "display" && e.Status != nil && e.Status.Execs > 2000,
				fault == "job" && minimizing:
				panic("injected into the " + fault)
			}
			events(e)
		}
		if fault == "worker" {
			o.RunLog = explosive{}
		}
		return job(ctx, o)
	}
	os.Exit(t.run(os.Args[1:]))
}

// patient is the command with a time after an interrupt that a busy machine does not use up: what
// a script then sees does not depend on the clock.
func patient() {
	t := newTool()
	job := t.jobs.suggest
	t.jobs.suggest = func(ctx context.Context, o suggest.Options) (*suggestion.Report, error) {
		o.Grace = time.Hour
		return job(ctx, o)
	}
	os.Exit(t.run(os.Args[1:]))
}

// explosive is a log that panics when a round of a worker is logged.
type explosive struct{}

func (explosive) Write(p []byte) (int, error) {
	var point struct{ Executions int }
	if json.Unmarshal(p, &point) == nil && point.Executions > 0 {
		panic("injected into the worker's goroutine")
	}
	return len(p), nil
}

// TestScripts runs the scripts in testdata/script. They have the commands of
// testscript and these:
//
//	tree name...              copy testdata/trees/name here
//	code n command args...    run a command that exits with code n
//	interrupt [-twice|-hup] regexp n command args...
//	                          run a command, interrupt it when its output
//	                          matches, twice if asked, or by SIGHUP, and expect
//	                          exit code n
//	unprivileged n command args...
//	                          as code, but file modes bind root as anyone else
//	goroot dir regexp text... make dir a toolchain like the one in use, whose
//	                          package testing has text for what matches
//	jsoncmp a b               compare two JSON results but for times
//	keep dir                  move testdata/fuzz away, to dir, and the golden
//	                          values to dir/golden
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for minutes")
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT", "GOPATH").Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	dirs := strings.Split(string(out), "\n")
	// Once for all scripts: it may be downloaded while they run.
	later := laterToolchain(dirs[1])
	deadline, _ := t.Deadline()
	params := testscript.Params{
		Deadline:            deadline,
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup:               func(env *testscript.Env) error { return setUp(env, dirs[0], dirs[1], dirs[3], later) },
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "later":
				return later != "", nil
			case "race":
				return hasRaceDetector(), nil
			case "downloaded": // the toolchain, by the go command itself
				return strings.HasPrefix(dirs[2], dirs[1]+string(filepath.Separator)), nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"tree":         cmdTree,
			"code":         cmdCode,
			"interrupt":    cmdInterrupt,
			"unprivileged": cmdUnprivileged,
			"goroot":       cmdGoroot,
			"jsoncmp":      cmdJSONCmp,
			"keep":         cmdKeep,
		},
	}
	inOrder(t, func(all testscript.T) { testscript.RunT(all, params) })
}

// hasRaceDetector reports whether a program can be built with -race here.
func hasRaceDetector() bool {
	return exec.Command("go", "build", "-race", "-o", os.DevNull, "./screen").Run() == nil
}

// setUp gives a script the surroundings of a user who has Go and git, and who
// is offline. $REPOSITORY is where this module lies, for scripts that import it, and $LATER
// the later toolchain if there is one.
func setUp(env *testscript.Env, gocache, gomodcache, gopath, later string) error {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	own := filepath.Join(env.WorkDir, ".gocache")
	if err := linkCache(gocache, own); err != nil {
		return err
	}
	env.Vars = append(
		env.Vars,
		"GOCACHE="+own,
		"GOMODCACHE="+gomodcache,
		// What the go command knows of the checksum database is there: without it, a downloaded
		// toolchain may not be verified while offline.
		"GOPATH="+gopath,
		"REPOSITORY="+root,
		"LATER="+later,
		"GOENV=off", "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=user", "GIT_AUTHOR_EMAIL=user@example.com",
		"GIT_COMMITTER_NAME=user", "GIT_COMMITTER_EMAIL=user@example.com",
	)
	env.Values[varsKey{}] = env
	return nil
}

// laterToolchain returns the Go 1.27 in the module cache if this is built by an earlier
// one, "" if it is not there.
func laterToolchain(gomodcache string) string {
	dirs, err := filepath.Glob(filepath.Join(gomodcache, "golang.org", "toolchain@v0.0.1-go1.27.*."+runtime.GOOS+"-"+runtime.GOARCH))
	if err != nil || len(dirs) == 0 || !strings.HasPrefix(runtime.Version(), "go1.26.") {
		return ""
	}
	name, _, _ := strings.Cut(filepath.Base(dirs[len(dirs)-1]), "."+runtime.GOOS+"-")
	return strings.TrimPrefix(name, "toolchain@v0.0.1-")
}

// linkCache makes dir a build cache that shares what is built with gocache, but
// has its own fuzz cache: what one script finds must not be a seed of
// another, nor of the next run.
func linkCache(gocache, dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for i := range 256 {
		name := fmt.Sprintf("%02x", i)
		if err := os.MkdirAll(filepath.Join(gocache, name), 0o777); err != nil {
			return err
		}
		if err := os.Symlink(filepath.Join(gocache, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	// The time of the last trim: none is due in the lifetime of a script.
	now := strconv.FormatInt(time.Now().Unix(), 10)
	return os.WriteFile(filepath.Join(dir, "trim.txt"), []byte(now+"\n"), 0o666)
}

// varsKey is the key of a script's *testscript.Env among its values.
type varsKey struct{}

func cmdTree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: tree name...")
	}
	for _, name := range args {
		from := filepath.Join(repository(ts), "testdata", "trees", name)
		ts.Check(os.CopyFS(ts.MkAbs(name), os.DirFS(from)))
	}
}

// repository returns the root of this module, which the test's process is below.
func repository(ts *testscript.TestScript) string {
	wd, err := os.Getwd()
	ts.Check(err)
	return filepath.Dir(filepath.Dir(wd))
}

func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code n command args...")
	}
	expectCode(ts, args[0], ts.Exec(args[1], args[2:]...))
}

// expectCode fails the script unless err, from running a command, stands for the
// exit code want.
func expectCode(ts *testscript.TestScript, want string, err error) {
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}

// prepare prepares a command that a script runs, other than through ts.Exec.
// Its standard output and error output become the script's.
func prepare(ts *testscript.TestScript, name string, args ...string) *exec.Cmd {
	env := ts.Value(varsKey{}).(*testscript.Env)
	path := name
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			path = p
			break
		}
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(env.Vars, "PWD="+cmd.Dir)
	return cmd
}

func cmdInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	twice := len(args) > 0 && args[0] == "-twice"
	sign := os.Interrupt
	if len(args) > 0 && args[0] == "-hup" {
		sign = syscall.SIGHUP
	}
	if twice || sign != os.Interrupt {
		args = args[1:]
	}
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt [-twice|-hup] regexp n command args...")
	}
	match, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	cmd := prepare(ts, args[2], args[3:]...)
	w := &watcher{waitFor: []*regexp.Regexp{match}}
	if twice {
		w.waitFor = append(w.waitFor, regexp.MustCompile("interrupt again"))
	}
	// The command obeys what the tests were started with, which nohup makes deaf to it.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	w.act = func() { cmd.Process.Signal(sign) } // an error: the command has ended, see below
	cmd.Stdout, cmd.Stderr = w, w               // the same: one goroutine writes
	ts.Check(cmd.Start())
	// Whatever is wrong, it must not hang for ever.
	watchdog := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	err = cmd.Wait()
	watchdog.Stop()
	fmt.Fprint(ts.Stdout(), w.out.String())
	if len(w.waitFor) > 0 {
		ts.Fatalf("no output matched %q", w.waitFor[0])
	}
	expectCode(ts, args[1], err)
}

// watcher collects output, and acts whenever it first matches the next of the
// expressions it waits for.
type watcher struct {
	out     strings.Builder
	waitFor []*regexp.Regexp
	act     func()
}

func (w *watcher) Write(p []byte) (int, error) {
	w.out.Write(p)
	for len(w.waitFor) > 0 && w.waitFor[0].MatchString(w.out.String()) {
		w.waitFor = w.waitFor[1:]
		w.act()
	}
	return len(p), nil
}

func cmdUnprivileged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: unprivileged n command args...")
	}
	cmd := prepare(ts, args[1], args[2:]...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := runUnprivileged(cmd)
	if errors.Is(err, errors.ErrUnsupported) {
		ts.Fatalf("%v: use the condition [unprivileged]", err)
	}
	fmt.Fprint(ts.Stdout(), stdout.String())
	fmt.Fprint(ts.Stderr(), stderr.String())
	expectCode(ts, args[0], err)
}

// cmdGoroot makes a copy of GOROOT of links, but for package testing.
func cmdGoroot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args)%2 == 0 {
		ts.Fatalf("usage: goroot dir regexp text...")
	}
	cmd := prepare(ts, "go", "env", "GOROOT")
	out, err := cmd.Output()
	ts.Check(err)
	from, to := strings.TrimSpace(string(out)), ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Join(to, "src"), 0o777))
	for _, dir := range []string{".", "src"} {
		entries, err := os.ReadDir(filepath.Join(from, dir))
		ts.Check(err)
		for _, e := range entries {
			if path := filepath.Join(dir, e.Name()); path != "src" && path != filepath.Join("src", "testing") {
				ts.Check(os.Symlink(filepath.Join(from, path), filepath.Join(to, path)))
			}
		}
	}
	testing := filepath.Join(to, "src", "testing")
	ts.Check(os.CopyFS(testing, os.DirFS(filepath.Join(from, "src", "testing"))))
	files, err := filepath.Glob(filepath.Join(testing, "*.go"))
	ts.Check(err)
	for i := 1; i < len(args); i += 2 {
		re, err := regexp.Compile(args[i])
		ts.Check(err)
		changed := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			ts.Check(err)
			if now := re.ReplaceAll(text, []byte(args[i+1])); string(now) != string(text) {
				changed = true
				ts.Check(os.Chmod(file, 0o666))
				ts.Check(os.WriteFile(file, now, 0o666))
			}
		}
		if !changed {
			ts.Fatalf("%s matches nothing in package testing", args[i])
		}
	}
}

// times are the members of a JSON result that differ from run to run.
var times = map[string]bool{
	"build_seconds": true, "wall_seconds": true, "cpu_seconds": true, "fuzz_cpu_seconds": true, "seconds": true, "execs_per_second": true, "start_seconds": true, "fuzz_seconds": true, "target_share": true,
	"live_seconds": true, "choice_seconds": true, "score_seconds": true, "static_seconds": true, "golden_seconds": true, "failing_seconds": true,
}

func cmdJSONCmp(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] jsoncmp a b")
	}
	var docs [2]any
	for i, arg := range args {
		if err := json.Unmarshal([]byte(ts.ReadFile(arg)), &docs[i]); err != nil {
			ts.Fatalf("%s: %v", arg, err)
		}
		if n := dropTimes(docs[i]); n == 0 {
			ts.Fatalf("%s has no times: is it a result?", arg)
		}
	}
	// To describe a difference takes seconds: it is done where it is shown.
	switch same := reflect.DeepEqual(docs[0], docs[1]); {
	case neg && same:
		ts.Fatalf("%s and %s do not differ but for times", args[0], args[1])
	case !neg && !same:
		ts.Fatalf("%s and %s differ (-first +second):\n%s", args[0], args[1], cmp.Diff(docs[0], docs[1]))
	}
}

// dropTimes removes the members that are times from doc and returns their
// number.
func dropTimes(doc any) int {
	n := 0
	switch doc := doc.(type) {
	case []any:
		for _, e := range doc {
			n += dropTimes(e)
		}
	case map[string]any:
		for name, e := range doc {
			if times[name] {
				delete(doc, name)
				n++
				continue
			}
			n += dropTimes(e)
		}
	}
	return n
}

func cmdKeep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: keep dir")
	}
	ts.Check(os.Rename(ts.MkAbs(filepath.Join("testdata", "fuzz")), ts.MkAbs(args[0])))
	golden := ts.MkAbs(filepath.Join("testdata", "fuzz-golden"))
	if _, err := os.Stat(golden); err == nil {
		ts.Check(os.Rename(golden, filepath.Join(ts.MkAbs(args[0]), "golden")))
	}
}
