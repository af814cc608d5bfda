// Command compile makes bpf/sampler.o of the C sources and writes beside it what it was made of.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"

	"github.com/quotascope/quotascope/collectors/internal/sampler/ebpf/recipe"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	object, err := os.CreateTemp("", "sampler-*.o")
	if err != nil {
		return err
	}
	defer os.Remove(object.Name())
	if err := object.Close(); err != nil {
		return err
	}
	for _, argv := range recipe.Commands(object.Name()) {
		command := exec.Command(argv[0], argv[1:]...)
		command.Dir, command.Stdout, command.Stderr = recipe.Folder, os.Stdout, os.Stderr
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w; it comes with: apt-get install %s", argv[0], err, recipe.Packages)
		}
	}
	made, err := os.ReadFile(object.Name())
	if err != nil {
		return err
	}
	sources, err := recipe.Sources(".")
	if err != nil {
		return err
	}
	if err := os.WriteFile(recipe.Object, made, 0o644); err != nil {
		return err
	}
	return os.WriteFile(recipe.Manifest, recipe.ManifestOf(sources, made), 0o644)
}
