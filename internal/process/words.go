// Package process ends a command together with the
// processes it started, splits command lines into words and quotes them, and names the program's version.
package process

import (
	"errors"
	"runtime/debug"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Version returns the version of this program's module, "(devel)" if the build has none.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// SplitWords splits a command into words like a POSIX shell, with quotes and backslashes. $NAME and
// ${NAME} outside of single quotes are replaced by lookup and not split again. No shell runs:
// pipes, redirections, lists, $(command) and a command without words are errors.
func SplitWords(command string, lookup func(string) string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, inQuotes := false, false
	for rest := command; rest != ""; {
		c := rest[0]
		rest = rest[1:]
		switch {
		case c == '"':
			inQuotes = !inQuotes
		case c == '$':
			value, behind, err := expandVariable(rest, lookup)
			if err != nil {
				return nil, err
			}
			word.WriteString(value)
			rest = behind
		case c == '`' && inQuotes:
			return nil, errors.New("` requires a shell (want the command in a script)")
		case c == '\\' && rest == "" && !inQuotes:
			return nil, errors.New("backslash at the end (want a character after it)")
		case c == '\\' && rest != "" && (!inQuotes || strings.IndexByte("$`\"\\\n", rest[0]) >= 0):
			if rest[0] != '\n' {
				word.WriteByte(rest[0])
			}
			rest = rest[1:]
		case inQuotes:
			word.WriteByte(c)
		case strings.IndexByte(" \t\n", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
			continue
		case strings.IndexByte("|&;<>()`#", c) >= 0 && !(c == '#' && inWord):
			return nil, errors.New("unquoted " + string(c) + " requires a shell (want it quoted, or the command in a script)")
		case c == '\'':
			quoted, behind, ok := strings.Cut(rest, "'")
			if !ok {
				return nil, errors.New("unterminated quote '")
			}
			word.WriteString(quoted)
			rest = behind
		default:
			word.WriteByte(c)
		}
		inWord = true
	}
	switch {
	case inQuotes:
		return nil, errors.New(`unterminated quote "`)
	case inWord:
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("empty command")
	}
	return words, nil
}

// QuoteWord returns a word in single quotes, as a POSIX shell reads it back.
func QuoteWord(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// variable matches a name behind a $, alone or in braces, or nothing.
var variable = text.Regexp(`^(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|)`)

// expandVariable reads the name after a $, and returns its value and the rest of the text. A $
// without a name stays a $.
func expandVariable(rest string, lookup func(string) string) (value, behind string, err error) {
	switch m := variable().FindStringSubmatch(rest); {
	case m[0] != "":
		return lookup(m[1] + m[2]), rest[len(m[0]):], nil
	case strings.HasPrefix(rest, "{"):
		return "", "", errors.New("incomplete ${ (want ${NAME})")
	case strings.HasPrefix(rest, "("):
		return "", "", errors.New("$( requires a shell (want the command in a script)")
	}
	return "$", rest, nil
}
