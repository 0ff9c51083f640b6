package text

import "strings"

// List returns the texts of things.
func List[T any](things []T, text func(T) string) (texts []string) {
	for _, thing := range things {
		texts = append(texts, text(thing))
	}
	return texts
}

// Join is [strings.Join] for any type of text.
func Join[T ~string](words []T, separator string) string {
	return strings.Join(List(words, func(word T) string { return string(word) }), separator)
}

// Clip shortens untrusted text, to keep an error readable.
func Clip(text string) string {
	const most = 60
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
