package solve

import "context"

// Load returns the values of a table in memory, 8 bytes each: 1.1 GB for seven pieces. It pays
// before many look-ups by rank into a .rgu, whose entries are in a different order.
func Load(ctx context.Context, t Table) (Values, error) {
	const step = 1 << 16
	values := NewValues(t.Pieces())
	tasks := (len(values) + step - 1) / step
	err := inParallel(ctx, tasks, func() func(int) error {
		return func(task int) error {
			first := task * step
			readValues(values[first:min(first+step, len(values))], t, first)
			return nil
		}
	}, func(int) {})
	if err == nil {
		err = t.Err()
	}
	if err != nil {
		return nil, err
	}
	return values, nil
}
