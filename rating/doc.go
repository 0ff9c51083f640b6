// Package rating is the statistics of results between players: how strong they are, by
// how much one is stronger than another, and how sure that is. It knows no game.
//
// [Pairs] counts games that come in pairs of equal luck, with the sides exchanged; from
// them come scores and intervals. An [SPRT] decides between two hypotheses about a
// difference as early as it can. [Rate] places many players on one scale by the model of
// Bradley and Terry. [Elo] and [Expected] go between scores and points of Elo, and
// [Wilson] is the interval of a share of independent events.
//
// All of it gives the same bits on every machine.
package rating
