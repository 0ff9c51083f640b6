// Package process pins threads and processes to a core, ends a command together with the
// processes it started, splits command lines into words, and names the program's version.
package process

import (
	"errors"
	"runtime/debug"
	"strings"
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
	inWord := false
	for rest := command; rest != ""; {
		c := rest[0]
		rest = rest[1:]
		switch {
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
		case c == '"':
			var err error
			if rest, err = doubleQuoted(rest, &word, lookup); err != nil {
				return nil, err
			}
		case c == '\\':
			if rest == "" {
				return nil, errors.New("backslash at the end (want a character after it)")
			}
			if rest[0] != '\n' {
				word.WriteByte(rest[0])
			}
			rest = rest[1:]
		case c == '$':
			value, behind, err := expandVariable(rest, lookup)
			if err != nil {
				return nil, err
			}
			word.WriteString(value)
			rest = behind
		default:
			word.WriteByte(c)
		}
		inWord = true
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("empty command")
	}
	return words, nil
}

// doubleQuoted reads up to the end of a double quote, and returns what stands behind.
func doubleQuoted(rest string, word *strings.Builder, lookup func(string) string) (string, error) {
	for rest != "" {
		c := rest[0]
		rest = rest[1:]
		switch {
		case c == '"':
			return rest, nil
		case c == '\\' && rest != "" && strings.IndexByte("$`\"\\\n", rest[0]) >= 0:
			if rest[0] != '\n' {
				word.WriteByte(rest[0])
			}
			rest = rest[1:]
		case c == '`':
			return "", errors.New("` requires a shell (want the command in a script)")
		case c == '$':
			value, behind, err := expandVariable(rest, lookup)
			if err != nil {
				return "", err
			}
			word.WriteString(value)
			rest = behind
		default:
			word.WriteByte(c)
		}
	}
	return "", errors.New(`unterminated quote "`)
}

// expandVariable reads the name after a $, and returns its value and the rest of the text. A $
// without a name stays a $.
func expandVariable(rest string, lookup func(string) string) (value, behind string, err error) {
	if braced, ok := strings.CutPrefix(rest, "{"); ok {
		name, behind, ok := strings.Cut(braced, "}")
		if !ok || name == "" || nameLength(name) != len(name) {
			return "", "", errors.New("incomplete ${ (want ${NAME})")
		}
		return lookup(name), behind, nil
	}
	if strings.HasPrefix(rest, "(") {
		return "", "", errors.New("$( requires a shell (want the command in a script)")
	}
	n := nameLength(rest)
	if n == 0 {
		return "$", rest, nil
	}
	return lookup(rest[:n]), rest[n:], nil
}

// nameLength returns the length of the variable name at a text's start.
func nameLength(text string) int {
	n := 0
	for n < len(text) &&
		(text[n] == '_' || 'a' <= text[n]|0x20 && text[n]|0x20 <= 'z' || n > 0 && '0' <= text[n] && text[n] <= '9') {
		n++
	}
	return n
}

// AnyCore is the core on which the thread runs.
const AnyCore = -1
