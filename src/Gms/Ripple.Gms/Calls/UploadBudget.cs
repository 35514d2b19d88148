namespace Ripple.Gms.Calls;

/// <summary>
/// The memory budget for publishes that are being received, waiting or being stored, over all callers. A lease is taken before a publish is
/// accepted and returned when it has finished. Core thread.
/// </summary>
internal sealed class UploadBudget(long bytesMax)
{
    private long _headBytes;

    /// <summary>Bytes of values held.</summary>
    public long Bytes { get; private set; }

    /// <summary>Bytes of values, names and notes held.</summary>
    public long TotalBytes => Bytes + _headBytes;

    /// <summary>Reserves room for a publish; null when there is none.</summary>
    /// <param name="valueBytes">The bytes of its values, held until it has finished.</param>
    /// <param name="headBytes">The bytes of its names and note, held until it has been prepared.</param>
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

    /// <summary>The reservation of one publish.</summary>
    internal sealed class Lease(UploadBudget budget, long valueBytes, long headBytes) : IDisposable
    {
        private long _valueBytes = valueBytes;
        private long _headBytes = headBytes;

        /// <summary>Releases the names and note: once prepared, they belong to the ordered publish.</summary>
        public void ReturnHead()
        {
            budget._headBytes -= _headBytes;
            _headBytes = 0;
        }

        /// <summary>Releases everything; the publish has finished.</summary>
        public void Dispose()
        {
            ReturnHead();
            budget.Bytes -= _valueBytes;
            _valueBytes = 0;
        }
    }
}
