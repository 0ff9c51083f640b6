// Package gradient computes what nets learn by: values of many positions at once, the
// gradient of a loss by the weights, Adam's steps, and eligibility traces.
//
// A [Model] is a net whose layers are padded to the width of the kernels and whose
// numbers lie in one list, which is what steps are taken in. The padding stays zero. A
// [Batch] is the memory for some positions. All arithmetic is that of package f32, whose
// tiers give the same bits.
package gradient
