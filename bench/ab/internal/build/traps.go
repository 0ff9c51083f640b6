package build

import (
	"debug/elf"
	"errors"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
)

// ErrNoTraps is the error about programs without a place for traps.
var ErrNoTraps = errors.New("no traps can be set")

// SetTraps copies a program, and replaces the beginning of functions by traps. All of them must be found.
func SetTraps(from, to string, functions map[string]bool) error {
	program, err := elf.Open(from)
	if err != nil {
		return err
	}
	defer program.Close()
	trap, ok := map[elf.Machine]string{elf.EM_X86_64: "\xcc", elf.EM_AARCH64: "\x00\x00\x20\xd4"}[program.Machine]
	if !ok {
		return ErrNoTraps
	}
	symbols, err := program.Symbols()
	if err != nil {
		return err
	}
	if err := frame.CopyFile(from, to); err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	found := make(map[string]bool)
	for _, s := range symbols {
		name := strings.TrimSuffix(s.Name, ".abi0")
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || !functions[name] || s.Section >= elf.SectionIndex(len(program.Sections)) {
			continue
		}
		section := program.Sections[s.Section]
		if _, err = file.WriteAt([]byte(trap), int64(s.Value-section.Addr+section.Offset)); err != nil {
			break
		}
		found[name] = true
	}
	if len(found) < len(functions) {
		err = ErrNoTraps
	}
	return errors.Join(err, file.Close())
}
