// Fakes3 is a server that speaks S3's protocol and keeps its objects in memory, for the tests of
// fuzzmut-cloud. It prints its address, makes the bucket "fuzz", and ends with its input. It knows
// one key, and checks no signature: a request with another is refused as S3 does.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func main() {
	store := s3mem.New()
	err := store.CreateBucket("fuzz")
	var l net.Listener
	if err == nil {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakes3:", err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // whatever ends it
		os.Exit(0)
	}()
	fmt.Fprintln(os.Stderr, "fakes3:", http.Serve(l, known(gofakes3.New(store).Server())))
	os.Exit(1)
}

// key is the access key that the server knows.
const key = "x"

const refusal = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>InvalidAccessKeyId</Code><Message>The AWS Access Key Id you provided does not exist in our records.</Message></Error>
`

// known has requests answered that have the key.
func known(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), "Credential="+key+"/") {
			h.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, refusal) //nolint:errcheck // the client has gone
	})
}
