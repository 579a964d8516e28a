// act's own server of artifacts, for tests: `act-artifacts FOLDER PORT`, until its standard input ends.

package main

import (
	"context"
	"io"
	"os"

	"github.com/nektos/act/pkg/artifacts"
)

func main() {
	cancel := artifacts.Serve(context.Background(), os.Args[1], "127.0.0.1", os.Args[2])
	defer cancel()
	_, _ = io.Copy(io.Discard, os.Stdin)
}
