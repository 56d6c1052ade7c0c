// Command kotra analyzes backgammon positions, trains its own networks and plays.
//
// Run kotra help for its commands.
package main

import (
	"os"

	"kotra/cmd/kotra/cli"
)

func main() { os.Exit(cli.Main()) }
