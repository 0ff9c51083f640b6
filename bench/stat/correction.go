package stat

import "github.com/seed-09dcdc84/ur/rating"

// Wilson is the 95 % interval of a rate seen as hits in n trials; see [rating.Wilson].
func Wilson(hits, n int) (lo, hi float64) { return rating.Wilson(int64(hits), int64(n)) }
