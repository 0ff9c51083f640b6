// Package symbol reads the names that Go's compiler and linker give to functions and variables. It is the one place that knows
// their form: an import path, a dot, and a name with suffixes of closures, wrappers and type arguments.
package symbol

import (
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Package returns the import path in a symbol's name, as symbols have it; see [Path].
func Package(name string) string {
	name, _, _ = strings.Cut(name, "[")
	slash := strings.LastIndexByte(name, '/') + 1
	path, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + path
}

// Path returns an import path as symbols have it: dots of the last element are escaped.
func Path(importPath string) string {
	at := strings.LastIndexByte(importPath, '/') + 1
	return importPath[:at] + strings.ReplaceAll(importPath[at:], ".", "%2e")
}

// Short returns a function's name without the folders of its package, and without type arguments.
func Short(name string) string {
	name = WithoutTypeArguments(name)
	return name[strings.LastIndexByte(name, '/')+1:]
}

// WithoutTypeArguments returns a function's name as its source has it: the compiler adds "[...]".
func WithoutTypeArguments(name string) string {
	if begin, end := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); begin >= 0 && end > begin {
		return name[:begin] + name[end+1:]
	}
	return name
}

// Enclosing returns the function that a symbol is compiled from a part of, as a closure, a wrapper or a method value, without
// its own type arguments; the function itself if it is none.
func Enclosing(name string) string { return partOfFunction().ReplaceAllString(name, "") }

// partOfFunction matches the suffixes of symbols compiled from a part of a function, and of type arguments.
var partOfFunction = text.Regexp(`(\.func\d+|\.(gowrap|deferwrap)\d+|-range\d+|-fm|\.\d+|\[[^\]]*\])+$`)

// Declared returns the name of a symbol's function in its source, without all type arguments and literals.
func Declared(name string) string { return Enclosing(WithoutTypeArguments(name)) }

// IsInitializer reports whether a function runs before tests and benchmarks.
func IsInitializer(name string) bool { return initializer().MatchString(name) }

var initializer = text.Regexp(`\.(init(\.[0-9]+)?|TestMain|map\.init\.[0-9]+)$`)

// IsNumbered reports whether the compiler numbers a symbol. Its number carries no meaning.
func IsNumbered(name string) bool {
	return strings.Contains(name, "..") && numbers().MatchString(name)
}

var numbers = text.Regexp(`\.\.(stmp_|typeAssert\.|interfaceSwitch\.|arraylit|maplit)[0-9]*$|glob\.\.func[0-9]+`)
