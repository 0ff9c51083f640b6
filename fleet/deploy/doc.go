// Package deploy has no code: it keeps what a fleet is brought to a cloud with, and the
// test that holds it to the schema of Kubernetes. docs/kubernetes.md is about it.
package deploy
