package esbuild

import "github.com/evanw/esbuild/pkg/api"

// Minify returns the minified form of a JavaScript module, or the texts of its
// errors.
//
//fuzzmut:target
func Minify(src string) (code string, errors []string) {
	r := api.Transform(src, api.TransformOptions{
		Loader:            api.LoaderJS,
		LogLevel:          api.LogLevelSilent,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
	})
	for _, m := range r.Errors {
		errors = append(errors, m.Text)
	}
	return string(r.Code), errors
}
