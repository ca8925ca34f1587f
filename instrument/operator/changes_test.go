package operator

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

var actionNames = map[Action]string{
	Swap: "swap", Negate: "negate", True: "true", False: "false", Operand: "operand", Replace: "replace", Zero: "zero", Fresh: "fresh",
	NewError: "error", Delete: "delete", Leave: "leave", KeepLeft: "left", KeepRight: "right", Exchange: "exchange", InPlace: "in place",
	Unlabel: "unlabel", Skip: "skip", Once: "once", Up: "up", Down: "down", Drop: "drop", Counterpart: "counterpart",
	Truncate: "truncate", Extend: "extend",
}

// show writes changes for a comparison: what is done, and with what.
func show(changes []Change) string {
	var list []string
	for _, c := range changes {
		text := actionNames[c.Do]
		if c.Op != 0 {
			text += " " + c.Op.String()
		}
		if c.Value != nil {
			text += " " + c.Value.ExactString()
		}
		if c.Const != nil {
			text += " " + c.Const.Name()
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func number(n int64) constant.Value { return constant.MakeInt64(n) }

func text(s string) constant.Value { return constant.MakeString(s) }

func basic(k types.BasicKind) types.Type { return types.Typ[k] }

func named(name string, v int64) *types.Const {
	return types.NewConst(token.NoPos, nil, name, basic(types.Int), number(v))
}

var (
	errorType = types.Universe.Lookup("error").Type()
	slice     = types.NewSlice(basic(types.Int))
	pointer   = types.NewPointer(basic(types.Int))
	structure = types.NewStruct(nil, nil)
	param     = types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.Universe.Lookup("any").Type())
	float     = types.NewNamed(types.NewTypeName(token.NoPos, nil, "F", nil), basic(types.Float64), nil)
)

func result(t types.Type, class Class) *Site { return &Site{Kind: Result, Type: t, Class: class} }

// TestChanges: what each operator does at the sites that are its own, and where it draws
// the line.
func TestChanges(t *testing.T) {
	with := func(s *Site, change func(*Site)) *Site {
		change(s)
		return s
	}
	arith := func(op token.Token) *Site { return &Site{Kind: Arithmetic, Op: op, Class: Integer} }
	compare := func(op token.Token, ordered bool) *Site {
		return &Site{Kind: Comparison, Op: op, Ordered: ordered}
	}
	integer := func(v int64) *Site { return &Site{Kind: Constant, Class: Integer, Value: number(v)} }
	for _, c := range []struct {
		op   *Operator
		site *Site
		want string
	}{
		{conditionalBoundary, compare(token.LSS, true), "swap <="},
		{conditionalBoundary, compare(token.LEQ, true), "swap <"},
		{conditionalBoundary, compare(token.GTR, true), "swap >="},
		{conditionalBoundary, compare(token.GEQ, true), "swap >"},
		{conditionalBoundary, compare(token.EQL, true), ""},
		{conditionalBoundary, compare(token.EQL, false), ""},
		{negateConditionals, compare(token.LSS, true), "swap >="},
		{negateConditionals, compare(token.LEQ, true), "swap >"},
		{negateConditionals, compare(token.GTR, true), "swap <="},
		{negateConditionals, compare(token.GEQ, true), "swap <"},
		{negateConditionals, compare(token.EQL, false), "swap !="},
		{negateConditionals, compare(token.NEQ, false), "swap =="},
		{conditionNegation, &Site{Kind: Condition}, "negate"},
		{conditionNegation, &Site{Kind: Condition, IsComparison: true}, ""}, // negate-conditionals has it
		{conditionNegation, &Site{Kind: Term}, ""},
		{math, arith(token.ADD), "swap -"},
		{math, arith(token.SUB), "swap +"},
		{math, arith(token.MUL), "swap /"},
		{math, arith(token.QUO), "swap *"},
		{math, arith(token.REM), "swap *"},
		{math, arith(token.AND), "swap |"},
		{math, arith(token.OR), "swap &"},
		{math, arith(token.XOR), "swap &"},
		{math, arith(token.AND_NOT), "swap &"},
		{math, arith(token.SHL), "swap >>"},
		{math, arith(token.SHR), "swap <<"},
		{increments, &Site{Kind: IncDec, Op: token.INC}, "swap --"},
		{increments, &Site{Kind: IncDec, Op: token.DEC}, "swap ++"},
		{invertNegatives, &Site{Kind: Negation}, "operand"},

		{operatorReplacement, compare(token.LSS, true), "swap <=, swap >, swap >=, swap ==, swap !="},
		{operatorReplacement, compare(token.EQL, false), "swap !="}, // pointers have no order
		{operatorReplacement, &Site{Kind: Logical, Op: token.LAND}, "swap ||"},
		{operatorReplacement, arith(token.ADD), "swap -, swap *, swap /, swap %"},
		{operatorReplacement, &Site{Kind: Arithmetic, Op: token.ADD, Class: Number}, "swap -, swap *, swap /"}, // no remainder
		{operatorReplacement, arith(token.XOR), "swap &, swap |, swap &^"},
		{operatorReplacement, arith(token.SHL), "swap >>"},
		{operatorReplacement, &Site{Kind: Concatenation, Op: token.ADD, Class: String}, ""},

		{constantReplacement, integer(5), "replace 0, replace 1, replace -1, replace 6, replace 4"},
		{constantReplacement, integer(0), "replace 1, replace -1"}, // each once, and never itself
		{constantReplacement, integer(1), "replace 0, replace -1, replace 2"},
		{constantReplacement, integer(-1), "replace 0, replace 1, replace -2"},
		{constantReplacement, with(integer('a'), func(s *Site) { s.Char = true }), "replace 98, replace 96"},
		{constantReplacement, &Site{Kind: Constant, Class: Number, Value: constant.MakeFloat64(0.5)}, "replace 0, replace 1, replace -1, replace 3/2, replace -1/2"},
		{constantReplacement, &Site{Kind: Constant, Class: Number, Value: constant.MakeImag(number(2))}, ""},
		{constantReplacement, &Site{Kind: Constant, Class: String, Value: text("a")}, ""},
		{constantNegation, integer(5), "replace -5"},
		{constantNegation, integer(0), ""}, // -0 is 0
		{constantNegation, with(integer('a'), func(s *Site) { s.Char = true }), ""},
		{constantNegation, &Site{Kind: Constant, Class: Number, Value: constant.MakeImag(number(2))}, ""},
		{boolConstants, &Site{Kind: Constant, Class: Bool, Value: constant.MakeBool(true)}, "replace false"},
		{boolConstants, &Site{Kind: Constant, Class: Bool, Value: constant.MakeBool(false)}, "replace true"},
		{boolConstants, integer(1), ""},
		{stringConstants, &Site{Kind: Constant, Class: String, Value: text("go")}, `replace ""`},
		{stringConstants, &Site{Kind: Constant, Class: String, Value: text("")}, `replace "A"`},
		{stringConstants, integer(0), ""},
		{namedConstants, with(integer(1), func(s *Site) { s.Neighbours = []*types.Const{named("Read", 0), named("Exec", 2)} }), "replace 0 Read, replace 2 Exec"},
		{namedConstants, integer(1), ""},

		{conditionForced, &Site{Kind: Condition, IsComparison: true}, "true, false"},
		{conditionForced, &Site{Kind: Term}, "true, false"},
		{comparisonForced, compare(token.LSS, true), "true, false"},
		{comparisonForced, &Site{Kind: Comparison, Op: token.LSS, Decided: true}, ""},
		{errorCheckForced, &Site{Kind: ErrorCheck, Op: token.NEQ}, "false"}, // as if there were no error
		{errorCheckForced, &Site{Kind: ErrorCheck, Op: token.EQL}, "true"},
		{errorMatchForced, &Site{Kind: ErrorMatch}, "false"},
		{notRemoval, &Site{Kind: Not}, "operand"},
		{notRemoval, &Site{Kind: Not, IsComparison: true}, ""},
		{complementRemoval, &Site{Kind: Complement}, "operand"},

		{compoundAssignment, with(arith(token.ADD), func(s *Site) { s.Assigns = true }), "right"},
		{compoundAssignment, with(arith(token.SHR), func(s *Site) { s.Assigns = true }), ""},
		{compoundAssignment, arith(token.ADD), ""},
		{compoundAssignment, &Site{Kind: Concatenation, Op: token.ADD, Assigns: true}, "right"},
		{stringConcatenation, &Site{Kind: Concatenation, Op: token.ADD}, "left, right"},
		{stringConcatenation, &Site{Kind: Concatenation, Op: token.ADD, Assigns: true}, ""},
		{arithmeticDeletion, arith(token.ADD), "left, right"},
		{arithmeticDeletion, with(arith(token.ADD), func(s *Site) { s.Value = number(1) }), "left"},
		{arithmeticDeletion, with(arith(token.ADD), func(s *Site) { s.LeftValue = number(1) }), "right"},
		{arithmeticDeletion, arith(token.SHL), "left"}, // a count is no value
		{arithmeticDeletion, with(arith(token.ADD), func(s *Site) { s.Assigns = true }), ""},
		{operandExchange, arith(token.SUB), "exchange"},
		{operandExchange, arith(token.AND_NOT), "exchange"},
		{operandExchange, arith(token.ADD), ""}, // commutes
		{operandExchange, arith(token.SHL), ""},
		{operandExchange, &Site{Kind: Concatenation, Op: token.ADD}, "exchange"},

		{loopSkip, &Site{Kind: Loop}, "skip"},
		{loopOnce, &Site{Kind: Loop}, "once"},
		{lockRemoval, &Site{Kind: Locking}, "delete"},
		{breakContinueSwap, &Site{Kind: Branch, Op: token.BREAK}, "swap continue"},
		{breakContinueSwap, &Site{Kind: Branch, Op: token.CONTINUE}, "swap break"},
		{breakContinueSwap, &Site{Kind: Branch, Op: token.FALLTHROUGH}, ""},
		{breakContinueRemoval, &Site{Kind: Branch, Op: token.BREAK}, "delete"},
		{breakContinueRemoval, &Site{Kind: Branch, Op: token.FALLTHROUGH}, ""},
		{fallthroughRemoval, &Site{Kind: Branch, Op: token.FALLTHROUGH}, "delete"},
		{fallthroughRemoval, &Site{Kind: Branch, Op: token.BREAK}, ""},
		{labelRemoval, &Site{Kind: Branch, Op: token.BREAK, Labeled: true}, "unlabel"},
		{labelRemoval, &Site{Kind: Branch, Op: token.BREAK}, ""},

		{sliceBounds, &Site{Kind: SliceBound}, "up, down, drop"},
		{sliceBounds, &Site{Kind: SliceBound, Taken: []Action{Up, Down}}, "drop"},
		{indexShift, &Site{Kind: Index}, "up, down"},
		{lengthChange, &Site{Kind: Length, Taken: []Action{Counterpart}}, "up, down"},
		{lengthChange, &Site{Kind: Length, Taken: []Action{Counterpart, Up, Down}}, ""},
		{minMaxSwap, &Site{Kind: MinMax}, "counterpart"},
		{conversionTruncation, &Site{Kind: Conversion}, "truncate"},
		{conversionTruncation, &Site{Kind: Conversion, Taken: []Action{Truncate}}, ""},
		{conversionExtension, &Site{Kind: Conversion, Taken: []Action{Truncate}}, "extend"},
		{commaOkInversion, &Site{Kind: CommaOk}, "negate"},
		{argumentSwap, &Site{Kind: Arguments}, "exchange"},
		{fieldClearing, &Site{Kind: Field}, "zero"},
		{fieldClearing, &Site{Kind: Field, IsZero: true}, ""},
		{fieldClearing, &Site{Kind: Field, Value: number(3)}, ""},
		{wrappingRemoval, &Site{Kind: WrapVerb}, "replace"},
		{recoverRemoval, &Site{Kind: Recover}, "delete"},
		{contextBackground, &Site{Kind: Context}, "fresh"},
	} {
		if got := show(c.op.Inspect(c.site)); got != c.want {
			t.Errorf("%s at %+v: %q, want %q", c.op.Name, *c.site, got, c.want)
		}
	}
}

// TestReturns: which of the return operators has a result is decided by its type. The
// table has all that take one.
func TestReturns(t *testing.T) {
	for _, c := range []struct {
		about string
		site  *Site
		want  string
	}{
		{"number", result(basic(types.Int), Integer), "primitive-returns zero, one-returns replace 1"},
		{"named number", result(float, Number), "primitive-returns zero, one-returns replace 1"},
		{"constant number", &Site{Kind: Result, Type: basic(types.Int), Class: Integer, Value: number(3)}, "primitive-returns zero"},
		{"zero", &Site{Kind: Result, Type: basic(types.Int), Class: Integer, Value: number(0), IsZero: true}, ""},
		{"string", result(basic(types.String), String), "empty-returns zero"},
		{"empty string", &Site{Kind: Result, Type: basic(types.String), Class: String, IsZero: true}, ""},
		{"bool", result(basic(types.Bool), Bool), "false-returns false, true-returns true"},
		{"true", &Site{Kind: Result, Type: basic(types.Bool), Class: Bool, Value: constant.MakeBool(true)}, "false-returns false"},
		{"false", &Site{Kind: Result, Type: basic(types.Bool), Class: Bool, Value: constant.MakeBool(false)}, "true-returns true"},
		{"slice", result(slice, Other), "empty-returns zero, fresh-returns fresh"},
		{"nil slice", &Site{Kind: Result, Type: slice, IsZero: true}, "fresh-returns fresh"},
		{"pointer", result(pointer, Other), "null-returns zero, fresh-returns fresh"},
		{"struct", result(structure, Other), "empty-returns zero"},
		{"function", result(types.NewSignatureType(nil, nil, nil, nil, nil, false), Other), "null-returns zero"},
		{"channel", result(types.NewChan(types.SendRecv, slice), Other), "null-returns zero"},
		{"unsafe pointer", result(basic(types.UnsafePointer), Other), "null-returns zero"},
		{"type parameter", result(param, Other), "null-returns zero"},
		{"error", result(errorType, Other), "null-returns zero, error-returns error"},
		{"nil error", &Site{Kind: Result, Type: errorType, IsZero: true}, "error-returns error"},
		{"error that is not nil", &Site{Kind: Result, Type: errorType, NotNil: true}, "null-returns zero"},
		{"named number", &Site{Kind: Result, Type: basic(types.Int), Class: Integer, Named: true}, "named-returns zero, one-returns replace 1"},
		{"named bool", &Site{Kind: Result, Type: basic(types.Bool), Class: Bool, Named: true}, "named-returns false, named-returns true"},
		{"named error", &Site{Kind: Result, Type: errorType, Named: true}, "named-returns zero, error-returns error"},
	} {
		var got []string
		for _, op := range All() {
			for _, ch := range op.Inspect(c.site) {
				got = append(got, op.Name+" "+show([]Change{ch}))
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
	}
}

// TestStatements: a statement that could be left out has one operator for its sort, and
// one more if it does nothing but change a slice or map.
func TestStatements(t *testing.T) {
	for _, c := range []struct {
		site *Site
		want string
	}{
		{&Site{Kind: Statement, Stmt: VoidCall}, "void-call-removal delete"},
		{&Site{Kind: Statement, Stmt: OtherStmt}, "statement-deletion delete"},
		{&Site{Kind: Statement, Stmt: Defer}, "defer-removal delete, defer-in-place in place"},
		{&Site{Kind: Statement, Stmt: Go}, "go-removal delete, go-in-place in place"},
		{&Site{Kind: Statement, Effect: Appends}, "append-removal delete, statement-deletion delete"},
		{&Site{Kind: Statement, Effect: Copies}, "copy-removal delete, statement-deletion delete"},
		{&Site{Kind: Statement, Stmt: VoidCall, Effect: Deletes}, "delete-removal delete, void-call-removal delete"},
		{&Site{Kind: Statement, Effect: WritesMap}, "map-write-removal delete, statement-deletion delete"},
		{&Site{Kind: Append}, "append-removal drop"},
		{&Site{Kind: Copy}, "copy-removal drop"},
		{&Site{Kind: Body, Part: Then}, "empty-then delete"},
		{&Site{Kind: Body, Part: Else}, "empty-else delete"},
		{&Site{Kind: Body, Part: Case}, "empty-case delete"},
		{&Site{Kind: Body, Part: Default}, "empty-default delete"},
		{&Site{Kind: Body, Part: SelectCase}, "empty-select-case delete"},
		{&Site{Kind: Guard, Risk: NilUse}, "nil-guard leave"},
		{&Site{Kind: Guard, Risk: OutOfBounds, Skippable: true}, "bounds-guard leave, bounds-guard skip"},
		{&Site{Kind: Guard, Risk: ZeroDivisor}, "divisor-guard leave"},
		{&Site{Kind: Guard, Risk: WrongType}, "assertion-guard leave"},
		{&Site{Kind: Guard, Risk: BigSize}, "size-guard leave"},
		{&Site{Kind: Guard, Risk: BadResult}, "result-guard leave"},
		{&Site{Kind: Guard, Risk: BadResult, Fails: true}, "result-guard leave, result-guard error"},
		{&Site{Kind: Guard, Risk: NilUse, Called: true}, "nil-guard fresh"},
		{&Site{Kind: Guard, Risk: OutOfBounds, Lazy: true}, "bounds-guard false"},
		{&Site{Kind: Guard, Risk: NilUse, Lazy: true, Op: token.LAND}, "nil-guard false"},
		{&Site{Kind: Guard, Risk: NilUse, Lazy: true, Op: token.LOR}, "nil-guard false, nil-guard true"},
	} {
		var got []string
		for _, op := range All() {
			for _, ch := range op.Inspect(c.site) {
				got = append(got, op.Name+" "+show([]Change{ch}))
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%+v: %s, want %s", *c.site, got, c.want)
		}
	}
}

// TestForeignSites: an operator has nothing to say about a kind that is not its own,
// whatever else is known of the site.
func TestForeignSites(t *testing.T) {
	own := map[Kind]bool{}
	for kind := Arithmetic; kind <= Field; kind++ {
		s := &Site{
			Kind: kind, Op: token.ADD, Class: Integer, Type: basic(types.Int), Stmt: VoidCall, Part: Then, Risk: NilUse,
			Value: number(3), Neighbours: []*types.Const{named("n", 1)}, Labeled: true, Ordered: true,
		}
		if kind == Field {
			s.Value = nil // constants are others'
		}
		n := 0
		for _, op := range All() {
			n += len(op.Inspect(s))
		}
		own[kind] = n > 0
	}
	for kind, some := range own {
		if !some {
			t.Errorf("no operator has a change for kind %d", kind)
		}
	}
	for _, op := range All() {
		if got := op.Inspect(&Site{Kind: Field + 1, Class: Integer, Type: basic(types.Int)}); got != nil {
			t.Errorf("%s changes a site of a kind that there is not: %s", op.Name, show(got))
		}
	}
}

// A site is asked more than once, by what settles what need not be offered.
func TestInspectIsRepeatable(t *testing.T) {
	s := &Site{Kind: Constant, Class: Integer, Value: number(5), Taken: []Action{Up}}
	for _, op := range All() {
		if first, second := show(op.Inspect(s)), show(op.Inspect(s)); first != second {
			t.Errorf("%s: %s, then %s", op.Name, first, second)
		}
	}
	if !slices.Equal(s.Taken, []Action{Up}) || !constant.Compare(s.Value, token.EQL, number(5)) {
		t.Errorf("the site was changed: %+v", *s)
	}
}

func TestGroupsAreNested(t *testing.T) {
	for g, want := range map[Group]string{GroupDefault: "default", GroupStrong: "strong", GroupAll: "all", GroupGuards: "guards", GroupNone: "none", 0: "none"} {
		if g.String() != want {
			t.Errorf("group %d is %q", g, g)
		}
	}
	def, strong, all := mustSelect(t, "default"), mustSelect(t, "strong"), mustSelect(t, "all")
	for _, op := range def {
		if !slices.Contains(strong, op) {
			t.Errorf("strong is without %s of default", op.Name)
		}
	}
	for _, op := range strong {
		if !slices.Contains(all, op) {
			t.Errorf("all is without %s of strong", op.Name)
		}
	}
	if len(def) >= len(strong) || len(strong) >= len(all) {
		t.Errorf("%d, %d and %d operators", len(def), len(strong), len(all))
	}
	for _, op := range mustSelect(t, "guards") {
		if op.Group != GroupGuards || slices.Contains(all, op) {
			t.Errorf("%s is a guard and in all", op.Name)
		}
	}
	if got := names(mustSelect(t, "lock-removal")); got != "lock-removal" {
		t.Errorf("what is in no group has to be named: %s", got)
	}
}
