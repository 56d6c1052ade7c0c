// Command gen writes the one-sided bearoff table that package bearoff embeds.
package main

import (
	"bytes"
	"log"
	"os"

	"kotra/eval/bearoff"
)

func main() {
	var file bytes.Buffer
	if _, err := bearoff.NewOneSided(6).WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	const name = "onesided-6x15.kos"
	if err := os.WriteFile(name+".new", file.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		log.Fatal(err)
	}
}
