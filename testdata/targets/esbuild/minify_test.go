package esbuild

import "testing"

func FuzzMinify(f *testing.F) {
	for _, s := range []string{
		"let x = 1 + 2;\nconsole.log(x);\n",
		"function f(a, b = 2, ...rest) { return a ? b : rest[0]; }\n",
		"if (a) { b() } else if (c) d(); else { e(); f() }\n",
		"for (let i = 0; i < 10; i++) { if (i % 2) continue; else break }\n",
		"for (const [k, v] of Object.entries(o)) delete o[k];\n",
		"while (true) do { x-- } while (x > 0)\n",
		"switch (x) { case 1: y(); break; case 'a': default: z() }\n",
		"try { f() } catch { g() } finally { h() }\n",
		"class A extends B { static #p = 1; get q() { return this.#r } constructor() { super() } #r; async *m() { yield* 1 } }\n",
		"const { a, b: { c = 1 }, ...d } = e, [f, , g] = h;\n",
		"const t = `a${1}b${`n${x}`}`, u = tag`\\u{41}`;\n",
		"x ??= y?.z?.[0]?.(1) ?? null; a ||= b; c **= 2;\n",
		"import a, { b as c } from 'm'; export default a; export { c }; export * from 'n';\n",
		"const re = /a[/]b\\/c/gi.test(s), big = 123n, hex = 0xff, sep = 1_000.5e-3;\n",
		"async function g() { for await (const x of y) await x }\n",
		"label: for (;;) { inner: for (;;) continue label }\n",
		"var s = 'it\\'s' + \"\\n\\x41\\u00e9\"; void 0; typeof x === 'undefined' && !0\n",
		"(() => { 'use strict'; return { a, [b]: 1, c() {}, get d() { return 1 }, __proto__: null } })()\n",
		"new.target; new X(1).y; import.meta.url; import('z')\n",
		"// comment\n/* block */ a = b\n++c\n<!-- html\n",
		"let a = 1; let a = 2\n", "x = {", "'open", "return 1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		code, errs := Minify(src)
		if len(errs) > 0 {
			t.Skip(errs[0])
		}
		if _, errs := Minify(code); len(errs) > 0 {
			t.Errorf("%q becomes %q: %q", src, code, errs)
		}
	})
}
