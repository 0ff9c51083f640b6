// Package squares holds the engine squares/avx2: it plays one game to a register.
package squares
