package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLayers(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"root.go":            "package ur\nimport _ \"fmt\"",
		"board/a.go":         "package board",
		"board/a_test.go":    "package board\nimport _ \"" + modulePath + "/play\"",
		"internal/x/x.go":    "package x\nimport _ \"" + modulePath + "/board\"",
		"play/play.go":       "package play\nimport (\n_ \"" + modulePath + "/internal/x\"\n_ \"" + modulePath + "\"\n)",
		"cmd/ur/cli/root.go": "package cli\nimport (\n_ \"" + modulePath + "/play\"\n_ \"" + modulePath + "/board\"\n)",
		"web/wasm/main.go":   "package main\nimport _ \"" + modulePath + "/play\"",
		"_asm/main.go":       "package main\nimport _ \"" + modulePath + "/play\"",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read, err := readImports(folder)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := read.writeLayers(&out); err != nil {
		t.Fatal(err)
	}
	const want = "```text\n" +
		"layer  package           built on\n" +
		"    3  cmd/ur            play\n" +
		"    2  play              ur  board\n" +
		"    1  ur\n" +
		"       board\n" +
		"```\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
