package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes an untrusted name, of a file or a benchmark, safe to print on one line of a
// terminal, a table or a page. Characters that could move the cursor, change colours, begin a
// new line or turn the direction of writing, and invalid text, become Go escapes, as in "\x1b"
// and "\n". Other names stay unchanged.
func Plain(name string) string {
	if !strings.ContainsFunc(name, isUnsafe) && utf8.ValidString(name) {
		return name
	}
	var out strings.Builder
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		switch {
		case r == utf8.RuneError && size == 1 || isUnsafe(r):
			quoted := strconv.QuoteToASCII(name[:size])
			out.WriteString(quoted[1 : len(quoted)-1])
		default:
			out.WriteRune(r)
		}
		name = name[size:]
	}
	return out.String()
}

// isUnsafe reports whether a character is more than visible text: control characters, format
// characters (direction, joining, tags), line separators, and invalid ones. XML forbids the
// same set.
func isUnsafe(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs, unicode.Co) || r == 0xFFFE || r == 0xFFFF
}

// Lines makes text of several lines safe to print: each line as [Plain] does.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Plain(line)
	}
	return strings.Join(lines, "\n")
}

// Markdown keeps text in its cell of a table of GitHub's markdown.
func Markdown(cell string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(cell)
}

// Some lists the first names, at most a number: "a, b, c and 2 more".
func Some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
}

// Wrap breaks text into lines of at most width characters at spaces where possible, and indents
// each.
func Wrap(text, indent string, columns int) string {
	var out strings.Builder
	out.WriteString(indent)
	at, first := len(indent), true
	for word := range strings.FieldsSeq(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case first:
			first = false
		case at+1+width > columns:
			out.WriteString("\n" + indent)
			at = len(indent)
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += width
	}
	return out.String()
}
