package loop

import "github.com/fuzzmut/fuzzmut/instrument/rt/wire"

// trim serves a Trim: it makes a failing input smaller as long as it fails in
// the same bucket, so that it can't turn into another bug on the way
// (golang/go#48326).
func (l *Loop) trim(req *wire.Trim) error {
	vals, err := l.decode(req.Input)
	if err != nil {
		return err
	}
	t := &trimmer{Loop: l, best: vals, execs: req.Execs, fuel: req.Fuel}
	t.key = t.keyOf(vals)
	if t.key != "" {
		for i := range vals {
			t.arg(i)
		}
	}
	return l.reply(wire.Reply{Trimmed: &wire.Trimmed{Input: wire.Encode(t.best), Stats: l.muts.take()}})
}

type trimmer struct {
	*Loop
	best  []any
	key   string
	execs int
	fuel  int64
}

// keyOf runs an input and returns its bucket, "" if it does not fail.
func (t *trimmer) keyOf(vals []any) string {
	t.execs--
	t.shared.SetInput(vals)
	t.x.detail = true
	ex := t.x.original(clone(vals), t.suspect)
	t.x.detail = false
	t.muts.count.execs++
	t.fuel -= ex.burned
	if !ex.kind.Failed() {
		return ""
	}
	return wire.FailureKey(t.outcome(ex))
}

func (t *trimmer) spent() bool { return t.execs <= 0 || t.fuel <= 0 || t.shared.Stopping() }

// accept takes data as argument i if the input then still fails alike.
func (t *trimmer) accept(i int, data []byte) bool {
	cand := append([]any(nil), t.best...)
	if _, ok := cand[i].(string); ok {
		cand[i] = string(data)
	} else {
		cand[i] = data
	}
	if t.keyOf(cand) != t.key {
		return false
	}
	t.best = cand
	return true
}

// arg makes one argument smaller: chunks are cut out, the largest first, and
// then what is left is made plain.
func (t *trimmer) arg(i int) {
	data, ok := bytesOf(t.best[i])
	if !ok {
		return
	}
	for size := len(data); size > 0; size /= 2 {
		for at := 0; at < len(data) && !t.spent(); {
			end := min(at+size, len(data))
			shorter := append(append(make([]byte, 0, len(data)), data[:at]...), data[end:]...)
			if t.accept(i, shorter) {
				data = shorter
			} else {
				at = end
			}
		}
	}
	for at := 0; at < len(data) && !t.spent(); at++ {
		if data[at] == '0' {
			continue
		}
		plainer := append([]byte(nil), data...)
		plainer[at] = '0'
		if t.accept(i, plainer) {
			data = plainer
		}
	}
}

func bytesOf(v any) ([]byte, bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	}
	return nil, false
}
