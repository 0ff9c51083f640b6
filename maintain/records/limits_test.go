package main

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The loop with most samples for its length is found: here the inner one.
func TestHottestLoop(t *testing.T) {
	list := parseInstructions([]byte(`
0000000000401000 <f>:
  401000:      	xorl	%eax, %eax
  401002:      	movl	$8, %ecx
  401005:      	addl	%ecx, %eax
  401007:      	decl	%ecx
  401009:      	jne	0x401005 <f+0x5>
  40100b:      	jmp	401002 <f+0x2>
  40100d:      	retq
`))
	testkit.FatalIf(t, len(list) != 7 || list[4].target != 0x401005 || list[5].target != 0x401002 ||
		list[0].target != 0, "%+v", list)
	loop := hottestLoop(list, map[uint64]int64{0x401005: 5, 0x401007: 4, 0x401002: 1})
	testkit.ErrorIf(t, len(loop) != 3 || loop[0].address != 0x401005, "%+v", loop)
	testkit.Equal(t, hottestLoop(list, nil), nil, "loop without samples")
}

func TestParseEstimate(t *testing.T) {
	const text = `
Iterations:        1000
Instructions:      4000
Total Cycles:      2510
Block RThroughput: 2.5

Cycles with backend pressure increase [ 48.07% ]
Throughput Bottlenecks:
  Resource Pressure       [ 47.77% ]
  - Zn3FP0  [ 40.00% ]
  Data Dependencies:      [ 0.30% ]
  - Register Dependencies [ 0.30% ]
  - Memory Dependencies   [ 0.00% ]
`
	want := map[string]float64{"instructions": 4, "cycles": 2.51, "throughput": 2.5, "resources": 47.77,
		"registers": 0.3, "memory": 0}
	testkit.Equal(t, parseEstimate([]byte(text), 1000), want, "estimate")
}
