// Package rating provides statistics of results between players: strengths, differences in
// strength, and their uncertainty. It is independent of any game.
//
// [Pairs] counts games that come in pairs of equal luck, with the sides exchanged, and computes
// scores and intervals from them. An [SPRT] decides between two hypotheses about a difference
// as early as it can. [Rate] places many players on one scale by the model of Bradley and
// Terry. [Elo] and [Expected] convert between scores and Elo points, and [Wilson] is the
// interval of a share of independent events.
//
// All results have the same bits on every machine.
package rating
