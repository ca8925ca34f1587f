// Package monday finds days of a week with github.com/jinzhu/now.
package monday

import (
	"time"

	"github.com/jinzhu/now"
)

// Week returns the first and the last day of the week of a time, in seconds since 1970.
func Week(seconds int64) (monday, sunday int64) {
	n := now.New(time.Unix(seconds, 0).UTC())
	return n.Monday().Unix(), n.Sunday().Unix()
}
