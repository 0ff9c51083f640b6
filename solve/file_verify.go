package solve

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Verify implements [RankedFile]. It reads the file directly, not by its mapping, so an
// unreadable part is an error instead of a crash.
func (f *File) Verify(ctx context.Context, progress func(done, total int64)) error {
	return withPath(f.verify(ctx, progress), f.file.Name())
}

func (f *File) verify(ctx context.Context, progress func(done, total int64)) error {
	if _, err := readHeader(f.file, f.size); err != nil {
		return err
	}
	if sums, err := f.readSums(); err != nil {
		return err
	} else if !bytes.Equal(sums, f.sums) {
		return formatError(f.dataOffset()+f.dataSize(), "changed since it was opened: the checksums are others")
	}
	return inParallel(ctx, f.header.blocks(), func() func(int) error {
		memory := make([]byte, blockSize)
		return func(i int) error { return f.verifyBlock(i, memory) }
	}, func(done int) {
		if progress != nil {
			progress(min(int64(done)*blockSize, f.dataSize()), f.dataSize())
		}
	})
}

// readSums reads and checks the checksums of the blocks.
func (f *File) readSums() ([]byte, error) {
	begin := f.dataOffset() + f.dataSize()
	sums := make([]byte, f.fileSize()-begin)
	if _, err := f.file.ReadAt(sums, begin); err != nil {
		return nil, err
	}
	last := len(sums) - 4
	if got, want := crc32.Checksum(sums[:last], castagnoli), binary.LittleEndian.Uint32(sums[last:]); got != want {
		return nil, formatError(begin+int64(last), "corrupted: the checksum of the %d bytes before it is %08x (want %08x)", last, got, want)
	}
	return sums[:last], nil
}

// verifyBlock reads and checks a block of data.
func (f *File) verifyBlock(i int, memory []byte) error {
	begin := int64(i) * blockSize
	data := memory[:min(blockSize, f.dataSize()-begin)]
	offset := f.dataOffset() + begin
	if n, err := f.file.ReadAt(data, offset); err == io.EOF {
		return formatError(offset+int64(n), "truncated: the file ends here (want %d bytes)", f.size)
	} else if err != nil {
		return err
	}
	if err := f.judgeBlock(i, data); err != nil {
		return err
	}
	return nil
}

// inParallel does n tasks on all processors. It calls newWorker once for each processor for a
// function that does a task. It returns the error of the first failed task, in their order, or
// that of ctx, and calls progress, one call at a time, with the number of tasks done.
func inParallel(ctx context.Context, n int, newWorker func() func(task int) error, progress func(done int)) error {
	var (
		next    atomic.Int64
		working sync.WaitGroup
		lock    sync.Mutex
		done    int
		failed  = n // the first failed task, and its error
		failure error
	)
	finish := func(task int, err error) (goOn bool) {
		lock.Lock()
		defer lock.Unlock()
		if err != nil && task < failed {
			failed, failure = task, err
		}
		if failure == nil {
			done++
			progress(done)
		}
		return failure == nil
	}
	for range min(runtime.GOMAXPROCS(0), n) {
		working.Go(func() {
			work := newWorker()
			for ctx.Err() == nil {
				task := int(next.Add(1)) - 1
				if task >= n || !finish(task, work(task)) {
					return
				}
			}
		})
	}
	working.Wait()
	if failure != nil {
		return failure
	}
	return ctx.Err()
}
