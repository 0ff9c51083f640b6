package train

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
)

// TestSequentialTestErrs throws biased coins instead of playing, and counts how
// often the test is wrong.
func TestSequentialTestErrs(t *testing.T) {
	test := sequentialTest{elo0: 0, elo1: 20, errors: 0.05}
	random := rand.New(rand.NewPCG(1, 2))
	const runs = 2000
	wrong := func(elo float64, want verdict) (count int) {
		for range runs {
			if coinVerdict(test, random, expectedScore(elo)) != want {
				count++
			}
		}
		return count
	}
	// 5 % of 2000 are 100; four standard deviations more are 139.
	if n := wrong(0, rejected); n > 139 {
		t.Errorf("of %d equal players %d are found to be better", runs, n)
	}
	if n := wrong(20, accepted); n > 139 {
		t.Errorf("of %d better players %d are not found to be", runs, n)
	}
}

func coinVerdict(t sequentialTest, random *rand.Rand, rate float64) verdict {
	var wins int64
	for n := int64(1); ; n++ {
		if random.Float64() < rate {
			wins++
		}
		if n%100 != 0 {
			continue
		}
		if v := t.decide(wins, n); v != undecided {
			return v
		}
	}
}

// TestJudgeTest decides between brains of known strength.
func TestJudgeTest(t *testing.T) {
	j := judge{engine: engine.Fastest(), pieces: 7, turnLimit: 4000}
	test := sequentialTest{elo0: 0, elo1: 5, errors: 0.05, most: 50_000}
	zero, classic := new(ur.Brain), ur.ClassicBrain()
	for _, meeting := range []struct {
		first, second *ur.Brain
		want          verdict
	}{{classic, zero, accepted}, {zero, classic, rejected}} {
		got, games, err := j.test(t.Context(), test, meeting.first, meeting.second, 3)
		if err != nil || got != meeting.want || games != 8*judgeChunk {
			t.Errorf("verdict %v after %d games, error %v", got, games, err)
		}
	}
}
