package reversi

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// ReplaceFiles returns the name of a player with replace(file) instead of every file in it.
func ReplaceFiles(name string, replace func(file string) (string, error)) (string, error) {
	list, ok := strings.CutPrefix(name, "search:")
	if !ok {
		return name, nil
	}
	items := strings.Split(list, ",")
	for i, item := range items {
		if file, ok := strings.CutPrefix(item, bookKey+"="); ok && file != "" {
			other, err := replace(file)
			if err != nil {
				return "", err
			}
			items[i] = bookKey + "=" + other
		}
	}
	return "search:" + strings.Join(items, ","), nil
}

// bookKey is the key of a player that names a file.
const bookKey = "book"

// Identity returns a text that distinguishes players of the same name: the hashes of their
// weights and files.
func Identity(name string, env Env) (string, error) {
	var parts []string
	_, err := ReplaceFiles(name, func(file string) (string, error) {
		hash, err := hashFile(file)
		parts = append(parts, bookKey+" "+hash)
		return file, err
	})
	if err != nil || !usesWeights(name) {
		return strings.Join(parts, ", "), err
	}
	w, err := env.weights()
	if err != nil {
		return "", err
	}
	hash, err := hashWeights(w)
	return strings.Join(append(parts, "weights "+hash), ", "), err
}

// usesWeights reports whether a player evaluates by learned weights.
func usesWeights(name string) bool {
	return strings.HasPrefix(name, "level:") || strings.HasPrefix(name, "search:") && !strings.Contains(name+",", "eval=hand,")
}

// hashFile returns the first digits of the SHA-256 sum of a file.
func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}

// hashWeights returns the first digits of the SHA-256 sum of weights as they are written.
func hashWeights(w *eval.Weights) (string, error) {
	sum := sha256.New()
	err := w.Write(sum)
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}
