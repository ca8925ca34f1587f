// Fakes3 is a server that speaks S3's protocol and keeps its objects in memory, for the tests of
// fuzzmut-cloud. It prints its address, makes the bucket "fuzz", and ends with its input.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

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
	fmt.Fprintln(os.Stderr, "fakes3:", http.Serve(l, gofakes3.New(store).Server()))
	os.Exit(1)
}
