package ab

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchfmt"
)

// nameKey is the part of a benchmark's name in which implementations differ.
type nameKey struct {
	name     string // of a part /name=value
	position int    // of a part below the function, from 1; 0 where the name counts
}

// validKey matches a key, and several of them.
var validKey, severalKeys = text.Regexp(`^/?[^/=,\s]+$`), text.Regexp(`^/?[^/=,\s]+([,\s]+|/)`)

// CheckKey returns an [*InputError] for what is no key, as in [By].
func CheckKey(key string) error {
	_, err := parseKey(key)
	return err
}

// parseKey reads "eval" or "/eval", and "/2" or "2".
func parseKey(key string) (nameKey, error) {
	name := strings.TrimPrefix(key, "/")
	switch n, err := strconv.Atoi(name); {
	case validKey().MatchString(key) && err == nil && n > 0:
		return nameKey{position: n}, nil
	case validKey().MatchString(key) && err != nil:
		return nameKey{name: name}, nil
	case severalKeys().MatchString(key):
		return nameKey{}, frame.FieldErrorf("Key", "%q: several keys (want one: what else differs in the names makes groups)", key)
	}
	return nameKey{}, frame.FieldErrorf("Key", "invalid key %q (want that of a part /KEY=... of the names, or /N for the Nth part)", key)
}

// String returns the key as benchstat writes it.
func (k nameKey) String() string { return "/" + cmp.Or(k.name, strconv.Itoa(k.position)) }

// split returns the value of the key in a benchmark's name without the number of processors, the name without the part,
// and the name with the part as /KEY=value. It reports whether the name has the key.
func (k nameKey) split(printed string) (value, rest, keyed string, ok bool) {
	base, parts := splitName(printed)
	rest, keyed = base, base
	for i, part := range parts {
		name, after, isKeyed := strings.Cut(part, "=")
		switch {
		case !ok && k.position == i+1:
			value, ok = part, true
		case !ok && k.position == 0 && isKeyed && name == k.name:
			value, ok = after, true
		default:
			rest, keyed = rest+"/"+part, keyed+"/"+part
			continue
		}
		keyed += k.String() + "=" + value
	}
	return value, rest, keyed, ok
}

// splitLong returns the same as split where the value is the rest of the name, with its slashes.
func (k nameKey) splitLong(printed string) (value, rest, keyed string, ok bool) {
	function, parts := splitName(printed)
	if k.position == 0 || len(parts) <= k.position {
		return "", "", "", false
	}
	rest = strings.Join(append([]string{function}, parts[:k.position-1]...), "/")
	value = strings.Join(parts[k.position-1:], "/")
	return value, rest, rest + k.String() + "=" + strings.ReplaceAll(value, "/", "_"), true
}

// splitName splits a benchmark's name without the number of processors into its function and the parts below.
func splitName(printed string) (function string, parts []string) {
	base, all := benchfmt.Name(printed + "-1").Parts() // a name may end like that number
	for _, part := range all[:len(all)-1] {
		parts = append(parts, string(bytes.TrimPrefix(part, []byte("/"))))
	}
	return string(base), parts
}

// listKeys describes the keys in names, and their parts by number.
func listKeys(names []string) string {
	values := make(map[string]map[string]bool)
	add := func(key, value string) {
		if values[key] == nil {
			values[key] = make(map[string]bool)
		}
		values[key][value] = true
	}
	for _, name := range names {
		_, parts := splitName(name)
		for i, part := range parts {
			if key, value, ok := strings.Cut(part, "="); ok {
				add("/"+key, value)
			}
			add(fmt.Sprint("/", i+1), part)
		}
	}
	if len(values) == 0 {
		return "the names of these benchmarks have no parts"
	}
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		keys = append(keys, fmt.Sprintf("%s (%s)", key, text.Some(slices.Sorted(maps.Keys(values[key])), 3)))
	}
	return "the names have " + strings.Join(keys, ", ")
}
