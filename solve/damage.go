package solve

// damageable is a table that may turn out to be damaged while it is read.
type damageable interface{ damaged() *FormatError }

// Damage returns what was found to be wrong with a table in a file while its values were
// read, or nil. A value that could not be believed was given as not-a-number, which no
// other value is: ask Damage after reading, before what was read is used.
func Damage(t Table) error {
	if d, ok := t.(damageable); ok {
		if err := d.damaged(); err != nil {
			return err
		}
	}
	return nil
}
