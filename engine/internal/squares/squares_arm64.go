//go:build go1.27 && !purego

package squares

import "github.com/seed-09dcdc84/ur"

func init() {
	NEON = engine{"squares/neon", []ur.Feature{ur.NEON}, ur.Array16NEON, [2]kernel{playPacked, playPlain}}
}

// playPacked is a [kernel]. It must equal array16/scalar turn by turn.
//
//go:noescape
func playPacked(state *state, tables *tables, winners *uint8)

// playPlain is a [kernel]. It must equal array16/scalar turn by turn.
//
//go:noescape
func playPlain(state *state, tables *tables, winners *uint8)
