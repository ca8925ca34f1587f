//go:build unix

// Package fake is a worker for tests: a test binary that calls Play from its TestMain is
// its own worker. It serves Run, Fuzz, Repair, Trim, Grow and Replay of a program that does what
// its inputs say, and, while it starts, what Start says in the same words.
//
// An input is one string, of words with a blank between each two:
//
//	i3     it infects mutant 3, which survives
//	k3     mutant 3 panics
//	a3     mutant 3 fails an assertion
//	d3     mutant 3 gives another result
//	n3     mutant 3 gives another result, in nothing that a caller sees
//	e3     mutant 3 ends the process
//	b3     mutant 3 blocks, while the program starts alone
//	p3     mutant 3 ends the process by a panic of fake.inner, fake.go:12, in another goroutine
//	g3     mutant 3 damages the process it is run in
//	x3     mutant 3 gives another result, and damages the process
//	r3     mutant 3 repairs the failure, or what "square" says, and o3 makes another of it
//	f8     it shows feature 8
//	fail   the original fails
//	cites  it does so, and says what its input is
//	wrong  the original fails an assertion
//	says   it does so, and says what the environment variable Says has
//	end    the original ends the process
//	bomb   the original ends the process by a panic of fake.inner, fake.go:12, in another goroutine
//	crowd  the original ends the process, unless it is the first thing that is run there
//	rare   the original fails once when it is run again and again
//	fickle if it fails, its outcome is another one when that is checked
//	block  the original blocks
//	jam    the original blocks, unless it is the first thing that is run there
//	eats   the original takes 256 MiB and blocks; if it is asked who does, it names fake.eat, fake.go:14
//	hang   the original burns all of its fuel
//	slow   the original burns the fuel of a hang, and ends if it may burn more
//	leak   the original leaves a goroutine waiting
//	shot   the process is killed from outside while the original runs, as long as there
//	       are files in the directory that the environment variable Shots names: each
//	       costs one
//	late   so it is after the input's recording was sent
//	v5     the value 5 is observed at the next of the program's sites, from the first on
//	tick   and one that differs from run to run
//	w900   it burns 900 units of fuel
//	m900   it allocates 900 bytes, where that is measured
//	square its work grows as the square of its length, and else as its length
//	timely its processor time does, and not its work
//	s4     the inner result 4 at the last of the program's sites
//	new:x  x, of workers whose side is "new", or has the part "new", or whose fuzz test has
//	       that name; others skip the word; -new:x of those without
//	>a+k1  a study of the input as an entry finds "a k1", whose words may be of one side
package fake

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Play serves requests and does not return, if the process was started as a worker.
func Play() {
	if os.Getenv(wire.EnvWorker) == "" {
		return
	}
	var fds [3]int
	for i, s := range strings.Split(os.Getenv(wire.EnvConn), ",") {
		fds[i], _ = strconv.Atoi(s) //nolint:errcheck // the coordinator is ours
	}
	mem, err := syscall.Mmap(fds[2], 0, wire.SharedSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	a := &actor{
		in:     bufio.NewReader(os.NewFile(uintptr(fds[0]), "requests")),
		out:    os.NewFile(uintptr(fds[1]), "replies"),
		shared: wire.NewShared(mem), entries: make(map[int][]byte),
	}
	for {
		a.serve()
	}
}

// Binary returns the configuration of a worker that is the running test binary. One that
// was built with the race detector would wait for a second when it exits.
func Binary() worker.Config {
	return worker.Config{Binary: os.Args[0], Fuzz: "FuzzFake", Env: append(os.Environ(), "GORACE=atexit_sleep_ms=0")}
}

// Program returns a program with 8 blocks and mutants 1 to 8, all of one function.
func Program() *instrument.Program {
	p := &instrument.Program{Blocks: make([]instrument.Block, 8), Funcs: make([]instrument.Func, 1)}
	for i := range 8 {
		p.Mutants = append(p.Mutants, instrument.Mutant{Index: i + 1, Status: instrument.StatusLive})
	}
	return p
}

// Start is the environment variable that says what mutants do while the program starts.
const Start = "FAKE_START"

// Says is the environment variable with what an assertion of the original says.
const Says = "FAKE_SAYS"

// Shots is the environment variable that names the directory of files that shots cost.
const Shots = "FAKE_SHOTS"

// Echo is the environment variable that has the original return its input, as a string: that
// is observed where no other value is.
const Echo = "FAKE_ECHO"

// Side is the environment variable that tells the workers of two programs from each other:
// the side of a program, in parts with a plus between each two.
const Side = "FAKE_SIDE"

// sideSuffix ends the names of binaries whose workers say their side.
const sideSuffix = ".side"

// BinaryOf returns a binary that plays workers of a side, whatever the environment says. All tests of a
// process share it, and the programs that a worker is run from elsewhere, which are copies.
func BinaryOf(tb testing.TB, side string) string {
	tb.Helper()
	binary, err := filepath.Abs(os.Args[0])
	if err != nil {
		tb.Fatal(err)
	}
	dir := filepath.Join(filepath.Dir(binary), "sides")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(dir, side+sideSuffix)
	if err := os.Symlink(binary, path); err != nil && !errors.Is(err, fs.ErrExist) {
		tb.Fatal(err)
	}
	return path
}

// ofSide returns a word without the sides that it is for, and false if the worker is not of
// all of them.
func ofSide(w string) (word string, ok bool) {
	for w != "" && w[0] != '>' {
		part, rest, found := strings.Cut(w, ":")
		if !found {
			return w, true
		}
		without, negated := strings.CutPrefix(part, "-")
		if isSide(without) == negated {
			return "", false
		}
		w = rest
	}
	return w, w != ""
}

// isSide says whether the worker has a part of a side.
func isSide(part string) bool {
	if part == os.Getenv(wire.EnvWorker) {
		return part != ""
	}
	side, ok := strings.CutSuffix(filepath.Base(os.Args[0]), sideSuffix)
	if !ok {
		side = os.Getenv(Side)
	}
	return slices.Contains(strings.Split(side, "+"), part)
}

// Load puts that many shots at the disposal of the workers of a test.
func Load(tb testing.TB, shots int) {
	tb.Helper()
	dir := tb.TempDir()
	for i := range shots {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	tb.Setenv(Shots, dir)
}

// shoot kills the process if a shot is left.
func shoot() {
	dir := os.Getenv(Shots)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		return
	}
	if os.Remove(filepath.Join(dir, files[0].Name())) == nil {
		syscall.Kill(os.Getpid(), syscall.SIGKILL) //nolint:errcheck // it does not return
	}
}

// Input returns the input of some words.
func Input(words string) *corpus.Input { return corpus.Of(words) }

// Inputs returns inputs.
func Inputs(words ...string) []*corpus.Input {
	var list []*corpus.Input
	for _, w := range words {
		list = append(list, Input(w))
	}
	return list
}

// Words returns the words of an input, "none" of nil.
func Words(input *corpus.Input) string {
	if input == nil {
		return "none"
	}
	var texts []any
	for _, v := range input.Values() {
		if b, ok := v.([]byte); ok {
			v = string(b)
		}
		texts = append(texts, v)
	}
	return fmt.Sprint(texts...)
}

// wordsOf decodes an input from the coordinator.
func wordsOf(input []byte) string {
	in, err := corpus.FromWorker(input)
	if err != nil {
		return fmt.Sprintf("not an input: %q", input)
	}
	return Words(in)
}

// parsed is what an input says.
type parsed struct {
	words    map[string]bool
	features wire.Features
	act      map[uint32]byte // by mutant, the letter
	infects  []uint32        // ascending
	children []string
	values   []string // observed
	inner    []uint64 // likewise, of an inner site
	burned   int64
	bytes    int64 // allocated
}

func parse(input []byte) parsed { return parseWords(wordsOf(input)) }

func parseWords(text string) parsed {
	p := parsed{words: make(map[string]bool), act: make(map[uint32]byte)}
	for _, w := range strings.Fields(text) {
		w, ok := ofSide(w)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(w[1:])
		switch {
		case w == "tick":
			p.values = append(p.values, w)
		case w[0] == 'v' && len(w) > 1:
			p.values = append(p.values, w[1:])
		case w[0] == 's' && err == nil:
			p.inner = append(p.inner, uint64(n))
		case w[0] == 'w' && err == nil:
			p.burned = int64(n)
		case w[0] == 'm' && err == nil:
			p.bytes = int64(n)
		case w[0] == '>':
			p.children = append(p.children, strings.ReplaceAll(w[1:], "+", " "))
		case err != nil:
			p.words[w] = true
		case w[0] == 'f':
			p.features = append(p.features, wire.Feature(n))
		default:
			p.act[uint32(n)] = w[0]
			p.infects = append(p.infects, uint32(n))
		}
	}
	slices.Sort(p.infects)
	return p
}

// actor is the worker.
type actor struct {
	in     *bufio.Reader
	out    *os.File
	shared *wire.Shared

	dead     map[uint32]bool // as the coordinator says
	killed   map[uint32]bool
	suspects []uint32 // run since the original was last seen healthy
	ran      int      // executions
	entries  map[int][]byte
	deadly   []uint64 // inputs that no study runs
	static   uint32   // the mutant that is active from the start
	inner    uint32   // the site of inner results
}

func (a *actor) send(r wire.Reply) {
	if err := wire.Send(a.out, r); err != nil {
		os.Exit(0)
	}
}

// exitCode is what a target ends the process with.
const exitCode = 3

// serve answers one request.
func (a *actor) serve() {
	var req wire.Request
	if err := wire.Receive(a.in, &req, wire.MaxRequest); err != nil {
		os.Exit(0)
	}
	switch {
	case req.Init != nil:
		a.dead, a.killed = make(map[uint32]bool), make(map[uint32]bool)
		for _, m := range req.Init.Dead {
			a.dead[m] = true
		}
		if n := len(req.Init.Inner); n > 0 {
			a.inner = req.Init.Inner[n-1]
		}
		a.hello()
	case req.Run != nil:
		for i := range req.Run.Items {
			it := &req.Run.Items[i]
			it.Skip = slices.Concat(it.Skip, req.Run.Skip)
			a.item(i, it)
		}
		a.send(wire.Reply{Ran: &wire.Ran{}})
	case req.Fuzz != nil:
		a.fuzz(req.Fuzz)
	case req.Repair != nil:
		for i := range req.Repair.Items {
			a.repair(i, &req.Repair.Items[i])
		}
		a.send(wire.Reply{Ran: &wire.Ran{}})
	case req.Trim != nil:
		p := parse(req.Trim.Input)
		a.original(req.Trim.Input, p)
		smaller := "fail"
		if p.words["cites"] {
			smaller = "cites"
		}
		a.send(wire.Reply{Trimmed: &wire.Trimmed{Input: Input(smaller).Wire()}})
	case req.Grow != nil:
		a.grow(req.Grow)
	case req.Replay != nil:
		a.replay(req.Replay)
	default:
		panic("a request that no fake worker serves")
	}
}

// hello tells what the start reaches, if that is asked for.
func (a *actor) hello() {
	h := &wire.Hello{Types: []string{"string"}, Zero: Input("").Wire()}
	start := parseWords(os.Getenv(Start))
	if os.Getenv(wire.EnvInit) != "" {
		h.InitReached, h.InitInfected = start.infects, start.infects
	}
	if a.static = static(); start.act[a.static] == 'e' {
		os.Exit(exitCode)
	}
	if start.act[a.static] == 'b' {
		time.Sleep(time.Hour)
	}
	a.send(wire.Reply{Hello: h})
}

// static returns the mutant that is active from the start; 0: none.
func static() uint32 {
	_, mutants, _ := strings.Cut(os.Getenv(wire.EnvStatic), ",")
	text, _, _ := strings.Cut(mutants, ",")
	n, _ := strconv.Atoi(text) //nolint:errcheck // none
	return uint32(n)
}

// replay runs inputs with the static mutant, up to its kill.
func (a *actor) replay(req *wire.Replay) {
	done := int64(0)
	for i := range req.Items {
		it := &req.Items[i]
		p := parse(it.Input)
		done++
		o := a.original(it.Input, p)
		if req.Fuel > 0 && (o.Kind == wire.Fuel || p.burned > req.Fuel && !o.Kind.Failed()) {
			o, p.burned = wire.Outcome{Kind: wire.Fuel, Message: "does not end"}, req.Fuel
		}
		rec := &wire.Recording{Item: i, Kind: o.Kind, Cost: p.burned}
		if req.Golden {
			if len(p.values) == 0 && os.Getenv(Echo) != "" {
				p.values = []string{fmt.Sprintf("string %q", wordsOf(it.Input))}
			}
			rec.Message, rec.Events = o.Message, a.observed(p)
			if req.Brief {
				a.brief(rec, p)
			}
			if req.Weigh.Takes(it.Input) && !o.Kind.Failed() {
				rec.Bytes = p.bytes
			}
		}
		if it.Ref == nil {
			a.send(wire.Reply{Recording: rec})
			if p.words["late"] {
				shoot()
			}
			continue
		}
		if kind := a.act(a.static, p); kind != 0 {
			a.send(wire.Reply{Kill: &wire.Kill{Mutant: a.static, Kind: kind, Item: i}})
			break
		}
	}
	a.send(wire.Reply{Replayed: &wire.Replayed{Execs: done}})
}

// brief has hashes in place of the texts of a recording, and adds inner results.
func (a *actor) brief(rec *wire.Recording, p parsed) {
	for i := range rec.Events {
		e := &rec.Events[i]
		for _, c := range e.Text {
			e.Hash = e.Hash*31 + uint64(c)
		}
		e.Text = ""
	}
	for _, n := range p.inner {
		rec.Events = append(rec.Events, wire.Seen{Site: a.inner, Hash: n})
	}
	rec.Path = uint64(len(p.features))
}

// observed lists the values that are observed.
func (a *actor) observed(p parsed) []wire.Seen {
	var list []wire.Seen
	for i, text := range p.values {
		if text == "tick" {
			text = strconv.Itoa(a.ran)
		}
		list = append(list, wire.Seen{Site: uint32(i), Text: text})
	}
	if a.static != 0 && p.act[a.static] == 'd' {
		list = append(list, wire.Seen{Site: uint32(len(list)), Text: "the mutant's"})
	}
	return list
}

// original runs the original on an input.
func (a *actor) original(input []byte, p parsed) wire.Outcome {
	first := a.ran == 0
	a.ran++
	a.shared.SetInput([]any{wordsOf(input)})
	a.shared.Begin(0)
	if p.words["end"] || p.words["crowd"] && !first {
		os.Exit(exitCode)
	}
	if p.words["bomb"] {
		bomb()
	}
	if p.words["shot"] {
		shoot()
	}
	if p.words["eats"] {
		eat()
	}
	if p.words["block"] || p.words["jam"] && !first {
		time.Sleep(time.Hour)
	}
	a.shared.End()
	if p.words["fail"] {
		return wire.Outcome{Kind: wire.Panic, Message: "boom", Frames: []string{"fake.Target fake.go:1"}}
	}
	if p.words["cites"] {
		return wire.Outcome{Kind: wire.Panic, Message: "no use for " + strconv.Quote(wordsOf(input)), Frames: []string{"fake.Target fake.go:1"}}
	}
	if p.words["wrong"] || p.words["says"] {
		text := "wrong"
		if p.words["says"] {
			text = os.Getenv(Says)
		}
		return wire.Outcome{Kind: wire.Fail, Message: "fake_test.go:7: " + text, Frames: []string{"fake.FuzzFake fake_test.go:7"}}
	}
	if p.words["hang"] {
		return wire.Outcome{Kind: wire.Fuel, Message: "does not end"}
	}
	if p.words["slow"] {
		return wire.Outcome{Kind: wire.Fuel, Message: "does not end: out of fuel"}
	}
	if p.words["leak"] {
		return wire.Outcome{Kind: wire.Leak, Message: "goroutines that outlive the call: 1", Frames: []string{"fake.Target fake.go:1"}}
	}
	return wire.Outcome{}
}

// eat takes memory and blocks.
func eat() {
	all := make([]byte, 256<<20)
	for i := range all {
		all[i] = 1
	}
	time.Sleep(time.Hour)
	runtime.KeepAlive(all)
}

// grow tells what lengths up to a second cost, a nanosecond for each unit of fuel.
func (a *actor) grow(req *wire.Grow) {
	p := parse(req.Input)
	if a.original(req.Input, p); p.words["hang"] {
		a.send(wire.Reply{Grown: &wire.Grown{Failed: true}})
		return
	}
	grown := &wire.Grown{Frames: []string{"fake.Target fake.go:1"}}
	times := []int{1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14}
	if req.Mutant != 0 && p.act[req.Mutant] == 'e' {
		os.Exit(exitCode)
	}
	if len(req.Times) > 0 {
		times = req.Times
		if !req.Where {
			grown.Frames = nil
		}
	}
	for _, n := range times {
		n := int64(n)
		fuel := 1024 * n
		if p.words["square"] && p.act[req.Mutant] != 'r' {
			fuel = n * n
		}
		took := fuel
		if p.words["timely"] {
			took = n * n
		}
		grown.Sizes = append(grown.Sizes, wire.Size{Times: int(n), Len: int(n), Fuel: fuel, CPU: time.Duration(took)})
	}
	a.send(wire.Reply{Grown: grown})
}

// mutant runs a mutant, and returns the kind of its kill; 0 if it survives.
func (a *actor) mutant(m uint32, p parsed) oracle.Kind {
	a.ran++
	a.shared.Begin(m)
	kind := a.act(m, p)
	a.shared.End()
	a.suspects = append(a.suspects, m)
	return kind
}

// bomb ends the process as a panic in another goroutine does.
func bomb() {
	fmt.Fprint(os.Stderr, "panic: boom\n\ngoroutine 7 [running]:\nfake.inner(...)\n\tfake.go:12 +0x1\n")
	os.Exit(exitCode)
}

// act does what an input says of a mutant.
func (a *actor) act(m uint32, p parsed) oracle.Kind {
	switch p.act[m] {
	case 'e':
		os.Exit(exitCode)
	case 'p':
		bomb()
	case 'a':
		return oracle.Assertion
	case 'k':
		return oracle.Panic
	case 'd', 'n', 'x':
		return oracle.Difference
	}
	return 0
}

// item does one item of a Run.
func (a *actor) item(i int, it *wire.Item) {
	p := parse(it.Input)
	for _, m := range it.Known {
		a.dead[m] = true
	}
	if it.Hoard > 0 && p.words["eats"] {
		fmt.Fprint(os.Stderr, wire.HoardText+"\ngoroutine 1 [running]:\nfake.eat(...)\n\tfake.go:14\n")
		os.Exit(wire.ExitHoard)
	}
	if it.Patience > 1 {
		delete(p.words, "slow")
	}
	r := &wire.Result{Item: i, Select: it.Select, Outcome: a.original(it.Input, p), Features: p.features, Cost: p.burned + int64(len(it.Input))}
	if it.Repeat > 0 {
		r.Runs = it.Repeat
		if p.words["rare"] {
			r.Failed, r.Outcome = 1, wire.Outcome{Kind: wire.Panic, Message: "rare", Frames: []string{"fake.Rare fake.go:2"}}
		}
	}
	if it.Check && p.words["fickle"] && r.Outcome.Kind.Failed() {
		a.send(wire.Reply{Unstable: &wire.Unstable{Outcome: true, Text: "the fuzz target's outcome was pass and is now fail"}})
	}
	if it.Repeat > 0 || r.Outcome.Kind.Failed() {
		a.send(wire.Reply{Result: r})
		return
	}
	for _, m := range p.infects {
		if a.dead[m] {
			continue
		}
		r.Reached, r.Infected = append(r.Reached, m), append(r.Infected, m)
		if !a.selected(it, m) {
			continue
		}
		kind := a.mutant(m, p)
		if kind != 0 {
			if p.act[m] == 'n' {
				kind = oracle.OnlyInside
			}
			a.killed[m] = kind != oracle.OnlyInside
			a.send(wire.Reply{Kill: &wire.Kill{Mutant: m, Kind: kind, Item: i}})
		}
		if p.act[m] == 'g' || p.act[m] == 'x' {
			a.send(wire.Reply{Damaged: &wire.Damaged{Input: it.Input, Suspects: a.suspects, Text: "differs"}})
			os.Exit(wire.ExitDamaged)
		}
	}
	a.suspects = nil
	a.send(wire.Reply{Result: r})
}

func (a *actor) selected(it *wire.Item, m uint32) bool {
	switch it.Select {
	case wire.SelectAlive:
		return !a.killed[m] && !slices.Contains(it.Skip, m)
	case wire.SelectInfected:
		return !slices.Contains(it.Skip, m)
	case wire.SelectListed:
		return slices.Contains(it.Mutants, m)
	}
	return false
}

// fuzz runs the children of the entries to study, and nothing over and over if there are
// none.
func (a *actor) fuzz(req *wire.Fuzz) {
	for _, e := range req.Add {
		a.entries[e.ID] = e.Input
	}
	a.deadly = append(a.deadly, req.Deadly...)
	done := &wire.Fuzzed{Stats: wire.Stats{Execs: req.Execs}, Studied: req.Study}
	left, room := req.Execs, req.Log
	next := func(input []byte) {
		left--
		a.shared.NextInput()
		switch {
		case req.Log == 0:
		case len(input) > room:
			done.Unlogged++
		default:
			room -= len(input)
			done.Bred = append(done.Bred, input)
		}
	}
	for ; done.Tried < len(req.Try) && left > 0; done.Tried++ {
		next(req.Try[done.Tried])
		a.child(req.Try[done.Tried])
	}
	for _, id := range req.Study {
		for _, words := range parse(a.entries[id]).children {
			if left == 0 {
				break
			}
			child := Input(words).Wire()
			if slices.Contains(a.deadly, wire.HashOf(child)) {
				continue
			}
			next(child)
			a.child(child)
		}
	}
	for nothing := Input("").Wire(); left > 0; {
		next(nothing)
		a.original(nothing, parsed{})
	}
	a.send(wire.Reply{Fuzzed: done})
}

func (a *actor) child(input []byte) {
	p := parse(input)
	if o := a.original(input, p); o.Kind.Failed() {
		a.send(wire.Reply{Failure: &wire.Failure{Input: input, Outcome: o, Key: failure.Key(o), Count: 1}})
		return
	}
	found := &wire.Found{Input: input, Features: p.features, Cost: int64(len(input))}
	for _, m := range p.infects {
		if a.dead[m] {
			continue
		}
		kind := a.mutant(m, p)
		if p.act[m] == 'g' {
			a.send(wire.Reply{Damaged: &wire.Damaged{Input: input, Suspects: a.suspects, Text: "differs"}})
			os.Exit(wire.ExitDamaged)
		}
		if kind == 0 {
			found.Infects = append(found.Infects, m)
			continue
		}
		a.dead[m] = true
		found.Kills = append(found.Kills, wire.Kill{Mutant: m, Kind: kind})
	}
	a.suspects = nil
	a.send(wire.Reply{Found: found})
}

// repair does one item of a Repair.
func (a *actor) repair(i int, it *wire.RepairItem) {
	p := parse(it.Input)
	d := &wire.Diagnosis{Item: i}
	if !it.Bare {
		d.Outcome = a.original(it.Input, p)
	}
	for _, m := range p.infects {
		if a.dead[m] || m <= it.After || it.Mutants != nil && !slices.Contains(it.Mutants, m) {
			continue
		}
		d.Tried = append(d.Tried, m)
		a.mutant(m, p)
		switch p.act[m] {
		case 'r':
			a.send(wire.Reply{Effect: &wire.Effect{Item: i, Mutant: m, Repaired: true}})
		case 'o':
			a.send(wire.Reply{Effect: &wire.Effect{Item: i, Mutant: m}})
		case 'g':
			a.send(wire.Reply{Damaged: &wire.Damaged{Input: it.Input, Suspects: []uint32{m}, Text: "differs"}})
			os.Exit(wire.ExitDamaged)
		}
	}
	a.send(wire.Reply{Diagnosis: d})
}
