package fleet

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// codeKey is the entry of the bucket of control that says which version of the code the
// fleet is of.
const codeKey = "code"

// VersionError says that a program is not of the version of the fleet, and was turned
// away.
type VersionError struct{ Code, Fleet string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("version %s is turned away: the fleet is of version %s; build the same, or drain the fleet and let this one in with \"ur fleet drain --off\"", e.Code, e.Fleet)
}

// admit turns away who is not of the version of the fleet. Where the fleet has none yet,
// as a queue that nobody has used, it is from now on of this one.
func (c *Conn) admit(ctx context.Context, code string) error {
	entry, err := c.control.Get(ctx, codeKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		if _, err = c.control.Create(ctx, codeKey, []byte(code)); err == nil {
			return nil
		}
		entry, err = c.control.Get(ctx, codeKey) // somebody was faster
	}
	if err != nil {
		return fmt.Errorf("fleet: version: %w", err)
	}
	if fleet := string(entry.Value()); fleet != code {
		return &VersionError{code, fleet}
	}
	return nil
}

// SetCode makes the fleet one of a version of the code. Workers of others leave.
func (c *Conn) SetCode(ctx context.Context, code string) error {
	if !isToken(code) {
		return fmt.Errorf("version of the code is %q, want letters, digits and hyphens", code)
	}
	if _, err := c.control.Put(ctx, codeKey, []byte(code)); err != nil {
		return err
	}
	return c.notice()
}

// notice tells workers to look at the bucket of control. Whoever does not hear it looks
// within seconds.
func (c *Conn) notice() error {
	if err := c.nc.Publish(noticeSubject, nil); err != nil {
		return err
	}
	return c.nc.FlushTimeout(publishTime)
}
