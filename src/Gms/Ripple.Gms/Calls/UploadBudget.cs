namespace Ripple.Gms.Calls;

/// <summary>
/// The memory budget for publishes that are being received, waiting or being stored, over all callers. A lease is taken before a publish is
/// accepted and returned when it has finished. Core thread.
/// </summary>
internal sealed class UploadBudget(long bytesMax)
{
    private readonly ShareLedger _shares = new(bytesMax);
    private long _headBytes;

    /// <summary>Bytes of values held.</summary>
    public long Bytes => TotalBytes - _headBytes;

    /// <summary>Bytes of values, names and notes held.</summary>
    public long TotalBytes => _shares.Sum;

    /// <summary>Reserves room for a publish; null when there is none, or one token or application would hold more than its share.</summary>
    /// <param name="owner">The publisher: one publish always fits its share.</param>
    /// <param name="valueBytes">The bytes of its values, held until it has finished.</param>
    /// <param name="headBytes">The bytes of its names and note, held until it has been prepared.</param>
    public Lease? TryTake(ShareOwner owner, long valueBytes, long headBytes)
    {
        if (_shares.Judge(owner, valueBytes + headBytes) != ShareBound.None)
        {
            return null;
        }

        _headBytes += headBytes;
        _shares.Add(owner, valueBytes + headBytes);
        return new Lease(this, owner, valueBytes, headBytes);
    }

    /// <summary>The reservation of one publish.</summary>
    internal sealed class Lease(UploadBudget budget, ShareOwner owner, long valueBytes, long headBytes) : IDisposable
    {
        private long _valueBytes = valueBytes;
        private long _headBytes = headBytes;

        /// <summary>Releases the names and note: once prepared, they belong to the ordered publish.</summary>
        public void ReturnHead()
        {
            budget._headBytes -= _headBytes;
            budget._shares.Add(owner, -_headBytes);
            _headBytes = 0;
        }

        /// <summary>Releases everything; the publish has finished.</summary>
        public void Dispose()
        {
            ReturnHead();
            budget._shares.Add(owner, -_valueBytes);
            _valueBytes = 0;
        }
    }
}
