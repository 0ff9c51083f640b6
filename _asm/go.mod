module github.com/seed-09dcdc84/ur/_asm

go 1.26.0

require (
	github.com/mmcloughlin/avo v0.6.0
	github.com/seed-09dcdc84/ur v0.0.0
	golang.org/x/tools v0.51.0
)

replace github.com/seed-09dcdc84/ur => ../

require (
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
