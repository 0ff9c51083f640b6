package fleet

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// codeKey is the entry of the bucket of control with the fleet's version of the code.
const codeKey = "code"

// VersionError reports a program of another version than the fleet's, which was rejected.
type VersionError struct{ Code, Fleet string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("version %s is turned away: the fleet is of version %s; build the same, or drain the fleet and let this one in with \"ur fleet drain --off\"", e.Code, e.Fleet)
}

// admit rejects a program of another version than the fleet's. A fleet without a version, a
// queue never used, takes that of the program.
func (c *Conn) admit(ctx context.Context, code string) error {
	entry, err := c.control.Get(ctx, codeKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		if _, err = c.control.Create(ctx, codeKey, []byte(code)); err == nil {
			return nil
		}
		entry, err = c.control.Get(ctx, codeKey) // another program was faster
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
		return fmt.Errorf("version of the code is %q (want letters, digits and hyphens)", code)
	}
	if _, err := c.control.Put(ctx, codeKey, []byte(code)); err != nil {
		return err
	}
	return c.notice()
}

// notice makes workers check the bucket of control. A worker that misses it checks within
// seconds.
func (c *Conn) notice() error {
	if err := c.nc.Publish(noticeSubject, nil); err != nil {
		return err
	}
	return c.nc.FlushTimeout(publishTime)
}
