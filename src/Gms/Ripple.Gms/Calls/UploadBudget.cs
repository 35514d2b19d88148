namespace Ripple.Gms.Calls;

/// <summary>
/// The memory of publishes that come, wait, or are being stored, over all callers: a lease is taken before a publish is let in, and given
/// back when it has an end. Core thread.
/// </summary>
internal sealed class UploadBudget(long bytesMax)
{
    private long _headBytes;

    /// <summary>Bytes of values.</summary>
    public long Bytes { get; private set; }

    /// <summary>Bytes of values, and of names and notes.</summary>
    public long TotalBytes => Bytes + _headBytes;

    /// <summary>Takes room for a publish; null when there is none.</summary>
    /// <param name="valueBytes">The bytes of its values: held until it has an end.</param>
    /// <param name="headBytes">The bytes of its names and note: held until it was prepared.</param>
    public Lease? TryTake(long valueBytes, long headBytes)
    {
        if (Bytes + _headBytes + valueBytes + headBytes > bytesMax)
        {
            return null;
        }

        Bytes += valueBytes;
        _headBytes += headBytes;
        return new Lease(this, valueBytes, headBytes);
    }

    /// <summary>The room of one publish.</summary>
    internal sealed class Lease(UploadBudget budget, long valueBytes, long headBytes) : IDisposable
    {
        private long _valueBytes = valueBytes;
        private long _headBytes = headBytes;

        /// <summary>It was prepared: its names and note are part of what is ordered from here on.</summary>
        public void ReturnHead()
        {
            budget._headBytes -= _headBytes;
            _headBytes = 0;
        }

        /// <summary>It has an end.</summary>
        public void Dispose()
        {
            ReturnHead();
            budget.Bytes -= _valueBytes;
            _valueBytes = 0;
        }
    }
}
