package code

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// callable are the methods called by the standard library.
var callable = []string{"Len", "Less", "Swap", "Read", "Write", "Close", "Error", "Unwrap"}

// Reach returns the normalized texts of the declarations within reach of some roots. It does not follow those
// stopped by cut. An unknown root is an error.
func (t *Tree) Reach(roots []string, cut func(name string) bool) (map[string]string, error) {
	reached, selected := make(map[string]string), make(map[string]bool)
	for _, name := range callable {
		selected[name] = true
	}
	rest := slices.Clone(roots)
	for _, root := range roots {
		if t.declarations[root] == nil {
			return nil, fmt.Errorf("no declaration %s", root)
		}
	}
	for waiting := []string(nil); len(rest) > 0; {
		name := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		d := t.declarations[name]
		if _, known := reached[name]; known || d == nil || cut(name) {
			continue
		}
		reached[name] = string(d.text)
		rest = slices.AppendSeq(rest, maps.Keys(d.refs))
		maps.Copy(selected, d.selected)
		waiting = append(waiting, t.methods[name]...)
		waiting = slices.DeleteFunc(waiting, func(method string) bool {
			isSelected := selected[method[strings.LastIndexByte(method, '.')+1:]]
			if isSelected {
				rest = append(rest, method)
			}
			return isSelected
		})
	}
	return reached, nil
}

// Containing returns the declarations below a folder whose text has a literal, as in `"lanes/go"`.
func (t *Tree) Containing(folder, literal string) (names []string) {
	for name, d := range t.declarations {
		if strings.HasPrefix(name, folder) && bytes.Contains(d.text, []byte(strconv.Quote(strconv.Quote(literal)))) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Differing returns the names of declarations with different texts, or on one side only. No declaration has an
// empty text.
func Differing(before, after map[string]string) (names []string) {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if before[name] != after[name] {
			names = append(names, name)
		}
	}
	return names
}
