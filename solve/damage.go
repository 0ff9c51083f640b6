package solve

// damageable is a table whose damage may only be found while it is read.
type damageable interface{ damaged() *FormatError }

// Damage returns the damage found in a table in a file while its values were read, or nil. A
// damaged value was returned as not-a-number, which no valid value is: call Damage after
// reading, before the values are used.
func Damage(t Table) error {
	if d, ok := t.(damageable); ok {
		if err := d.damaged(); err != nil {
			return err
		}
	}
	return nil
}
