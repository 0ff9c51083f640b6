// Package squares holds the engine squares/avx2, which plays one game to a register.
package squares
