using System.Buffers.Binary;
using System.Diagnostics;
using Ripple.Engine.Links;

namespace Ripple.Transports.Links;

/// <summary>
/// The incoming half of a link: waits without a buffer, reads the bytes available, and delivers whole frames in batches. Delivery waits
/// until the core has taken the previous batch; meanwhile nothing is read, and further data waits in TCP.
/// </summary>
internal sealed class LinkReader(Stream stream, LinkOptions options, Func<ReceiveBuffer, int, CancellationToken, Task> deliver)
{
    /// <summary>Buffers of this length belong to the link; longer ones count against the budget.</summary>
    public const int RentBytes = 16_384;

    private ReceiveBuffer? _buffer;
    private int _filledBytes;
    // How far the buffer is filled before its frames are delivered: to the usual batch length, or to the end of one longer frame. Rented
    // buffers may be longer.
    private int _fillBytesMax = RentBytes;
    // When a frame began for which a longer buffer is held; null for none.
    private long? _longFrameBegan;
    private volatile bool _isDiscarding;

    /// <summary>Discards all data from now on.</summary>
    public void Discard() => _isDiscarding = true;

    /// <summary>
    /// Reads until the link ends; returns why. The code is malformed when the other side violated the protocol, closed otherwise.
    /// </summary>
    public async Task<LinkRefusal> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            while (true)
            {
                if (!await TryFillAsync(cancellationToken).ConfigureAwait(false))
                {
                    return new(LinkRefusalCode.Closed, _filledBytes > 0 && !_isDiscarding
                        ? "The other side closed the connection in the middle of a frame."
                        : "The other side closed the connection.");
                }

                if (_isDiscarding)
                {
                    _filledBytes = 0;
                    continue;
                }

                FrameScan scan = FrameScan.Of(_buffer!.Bytes.AsSpan(0, _filledBytes));
                if (scan.WholeBytes > 0)
                {
                    await HandOnAsync(scan, cancellationToken).ConfigureAwait(false);
                }

                if (scan.Stop != FrameScanStop.Incomplete)
                {
                    return Judge(scan);
                }

                await FitAsync(scan.NextFrameBytes, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            return new(LinkRefusalCode.Closed, "The connection was given up.");
        }
        catch (TimeoutException)
        {
            return new(
                LinkRefusalCode.Closed,
                $"The other side began a frame and did not send all of it within {options.FrameTimeout.TotalSeconds:F0} s.");
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException or NotSupportedException)
        {
            return new(LinkRefusalCode.Closed, $"The connection broke: {e.Message}");
        }
        finally
        {
            Return();
        }
    }

    private async ValueTask<bool> TryFillAsync(CancellationToken cancellationToken)
    {
        if (_buffer is null)
        {
            // Completes when there is something to read: thousands of idle links hold no buffer.
            await stream.ReadAsync(Memory<byte>.Empty, cancellationToken).ConfigureAwait(false);
            _buffer = new ReceiveBuffer(RentBytes);
        }

        Memory<byte> room = _buffer.Bytes.AsMemory(_filledBytes, _fillBytesMax - _filledBytes);
        int bytes = _longFrameBegan is { } began
            ? await ReadInTimeAsync(room, options.FrameTimeout - Stopwatch.GetElapsedTime(began), cancellationToken).ConfigureAwait(false)
            : await stream.ReadAsync(room, cancellationToken).ConfigureAwait(false);
        options.Traffic?.CountReceived(bytes);
        _filledBytes += bytes;
        return bytes > 0;
    }

    /// <exception cref="TimeoutException">Nothing came in time.</exception>
    private async ValueTask<int> ReadInTimeAsync(Memory<byte> room, TimeSpan left, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(left > TimeSpan.Zero ? left : TimeSpan.Zero);
        try
        {
            return await stream.ReadAsync(room, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException();
        }
    }

    private async Task HandOnAsync(FrameScan scan, CancellationToken cancellationToken)
    {
        ReceiveBuffer batch = _buffer!;
        int restBytes = _filledBytes - scan.WholeBytes;
        ReceiveBuffer? rest = null;
        if (restBytes > 0)
        {
            // A buffer above the usual length is filled only to the end of one frame, so any rest fits the usual length.
            rest = new ReceiveBuffer(RentBytes);
            batch.Bytes.AsSpan(scan.WholeBytes, restBytes).CopyTo(rest.Bytes);
        }

        _buffer = rest;
        _longFrameBegan = null;
        _filledBytes = restBytes;
        await deliver(batch, scan.WholeBytes, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Judges the link's own frame, or the bad length, that is now at the start of the buffer.</summary>
    private LinkRefusal Judge(FrameScan scan)
    {
        ReadOnlySpan<byte> frame = _buffer!.Bytes.AsSpan(0, _filledBytes);
        if (scan.Stop == FrameScanStop.BadLength)
        {
            uint rest = BinaryPrimitives.ReadUInt32LittleEndian(frame);
            return new(
                LinkRefusalCode.Malformed,
                $"The other side sent a frame of length {rest}; 2 to {LinkFrame.BodyBytesMax + 2} are possible.");
        }

        ushort type = BinaryPrimitives.ReadUInt16LittleEndian(frame[4..]);
        return type == LinkFrameType.Goodbye
            && LinkRefusal.TryRead(frame[LinkFrame.HeaderBytes..scan.NextFrameBytes], out LinkRefusal goodbye)
            ? new(LinkRefusalCode.Closed, $"The other side ended the link: {goodbye.Text}")
            : new(LinkRefusalCode.Malformed, $"The other side sent a link frame of type {type}, which has no place in an open link.");
    }

    /// <summary>
    /// Makes room for the rest of a frame that has begun; returns the buffer when none has. Holds no part of the budget while it waits for
    /// it.
    /// </summary>
    private async ValueTask FitAsync(int nextFrameBytes, CancellationToken cancellationToken)
    {
        _fillBytesMax = Math.Max(RentBytes, nextFrameBytes);
        if (_filledBytes == 0)
        {
            Return();
        }
        else if (_buffer!.Bytes.Length < nextFrameBytes)
        {
            ReceiveBuffer larger = await ReceiveBuffer.RentAsync(
                nextFrameBytes, options.ReceiveBudget, options.ReceiveShare, cancellationToken).ConfigureAwait(false);
            _buffer.Bytes.AsSpan(0, _filledBytes).CopyTo(larger.Bytes);
            _buffer.Return();
            _buffer = larger;
            _longFrameBegan = Stopwatch.GetTimestamp();
        }
    }

    private void Return()
    {
        _filledBytes = 0;
        _fillBytesMax = RentBytes;
        _buffer?.Return();
        _buffer = null;
    }
}
