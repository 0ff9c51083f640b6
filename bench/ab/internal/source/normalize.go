package source

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Normalize returns the compiled part of a source: without comments and positions. The name of the file
// determines the language.
func Normalize(name string, text []byte) []byte {
	if strings.HasSuffix(name, ".go") {
		return Tokens(text)
	}
	return normalizeC(text)
}

// normalizeC returns a source in C or assembly without comments, and with one space for several. Comments
// in strings are taken for comments: their changes are seldom.
func normalizeC(text []byte) []byte {
	text = commentInC().ReplaceAllFunc(text, func(comment []byte) []byte {
		if bytes.HasPrefix(comment, []byte("//go:")) || bytes.HasPrefix(comment, []byte("//line")) {
			return comment
		}
		return []byte(" ")
	})
	var lines [][]byte
	for line := range bytes.Lines(text) {
		if fields := bytes.Fields(line); len(fields) > 0 {
			lines = append(lines, bytes.Join(fields, []byte(" ")))
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// commentInC matches comments of C.
var commentInC = text.Regexp(`(?s)/\*.*?\*/|//[^\n]*`)

// Tokens returns what the compiler sees of a Go file: its tokens, and the comments that are
// directives, or C before the import of "C". Positions, which only stack traces have, do not count; the end of a line does
// where it ends a statement.
func Tokens(text []byte) []byte {
	var out, preamble bytes.Buffer // preamble: the comments since the last token
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	imports := false // the last token begins an import
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return out.Bytes()
		case kind == token.COMMENT:
			if isDirective(literal) {
				fmt.Fprintf(&out, "%d %q\n", kind, literal)
			}
			preamble.WriteString(strings.TrimPrefix(strings.Trim(literal, "/*"), " ") + "\n")
			continue
		case kind == token.SEMICOLON:
			literal = "" // "\n" or ";"
		case kind == token.STRING && literal == `"C"` && imports:
			fmt.Fprintf(&out, "%s\n", normalizeC(preamble.Bytes()))
		}
		if kind != token.IMPORT && !(kind == token.STRING && imports) {
			preamble.Reset()
		}
		imports = kind == token.IMPORT || imports && kind == token.LPAREN
		fmt.Fprintf(&out, "%d %q\n", kind, literal)
	}
}

// isDirective reports whether a comment means something to go: "//go:noinline",
// "// +build", "//line", "//export".
func isDirective(comment string) bool {
	for _, begin := range []string{"//go:", "//line ", "/*line ", "//export ", "// +build", "//+build",
		"//extern ", "//sys"} {
		if strings.HasPrefix(comment, begin) {
			return true
		}
	}
	return false
}
