package ab

// codeOf compares the machine code that a benchmark function of the package can reach.
func (p *Package) codeOf(function string) (Code, []string) { return UnknownCode, nil }
