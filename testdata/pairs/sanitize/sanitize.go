// Package sanitize cleans HTML of users with github.com/microcosm-cc/bluemonday.
package sanitize

import "github.com/microcosm-cc/bluemonday"

// Clean returns what of a text may be shown.
func Clean(text string) string {
	policy := bluemonday.UGCPolicy()
	policy.AllowStyles("color").OnElements("p")
	policy.AllowAttrs("crossorigin", "style").Globally()
	policy.RequireCrossOriginAnonymous(true)
	return policy.Sanitize(text)
}
