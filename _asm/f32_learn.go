package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func addScaled() {
	kernel("addScaledAVX2", "func(y, x []float32, step float32)",
		"adds step times x to y, as addScaled does.")
	y, x, n := list("y"), list("x"), length("y")
	step := broadcast("step")
	over(n, func(at int) {
		r := YMM()
		VMOVUPS(Mem{Base: y, Disp: at}, r)
		VFMADD231PS(Mem{Base: x, Disp: at}, step, r)
		VMOVUPS(r, Mem{Base: y, Disp: at})
	}, y, x)
}

func follow() {
	kernel("followAVX2", "func(weights, traces []float32, step, decay float32)",
		"adds step times the traces to the weights, and multiplies the traces with decay, as follow does.")
	w, e, n := list("weights"), list("traces"), length("weights")
	step, decay := broadcast("step"), broadcast("decay")
	over(n, func(at int) {
		weight, trace := YMM(), YMM()
		VMOVUPS(Mem{Base: w, Disp: at}, weight)
		VMOVUPS(Mem{Base: e, Disp: at}, trace)
		VFMADD231PS(trace, step, weight)
		VMULPS(decay, trace, trace)
		VMOVUPS(weight, Mem{Base: w, Disp: at})
		VMOVUPS(trace, Mem{Base: e, Disp: at})
	}, w, e)
}

func adam() {
	kernel("adamAVX2", "func(weights, gradient, first, second []float32, scale, size float32)",
		"takes a step of Adam, as Adam does.")
	w, g := list("weights"), list("gradient")
	first, second, n := list("first"), list("second"), length("weights")
	scale, size, epsilon := broadcast("scale"), broadcast("size"), everywhere("epsilon", 1e-8)
	keepFirst, newFirst := everywhere("keepFirst", 0.9), everywhere("newFirst", 0.1)
	keepSecond, newSecond := everywhere("keepSecond", 0.999), everywhere("newSecond", 0.001)
	over(n, func(at int) {
		slope, mean, square, part := YMM(), YMM(), YMM(), YMM() // mean of slopes and of their squares
		VMULPS(Mem{Base: g, Disp: at}, scale, slope)
		VMULPS(Mem{Base: first, Disp: at}, keepFirst, mean)
		VMULPS(slope, newFirst, part)
		VADDPS(part, mean, mean)
		VMOVUPS(mean, Mem{Base: first, Disp: at})
		VMULPS(Mem{Base: second, Disp: at}, keepSecond, square)
		VMULPS(slope, newSecond, part)
		VMULPS(slope, part, part)
		VADDPS(part, square, square)
		VMOVUPS(square, Mem{Base: second, Disp: at})
		VSQRTPS(square, square)
		VADDPS(epsilon, square, square)
		VMULPS(size, mean, mean)
		VDIVPS(square, mean, mean)
		VMOVUPS(Mem{Base: w, Disp: at}, part)
		VSUBPS(mean, part, part)
		VMOVUPS(part, Mem{Base: w, Disp: at})
	}, w, g, first, second)
}
