// Package gradient trains networks: values of many positions at once, the gradient of a loss by
// the weights, Adam's steps, and eligibility traces.
//
// A [Model] is a net with layers padded to the width of the kernels and all numbers in one
// list, the space of the steps. The padding stays zero. A [Batch] is the memory for some
// positions. All arithmetic is that of package f32, whose tiers give the same bits.
package gradient
