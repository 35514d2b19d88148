namespace Ripple.Gms.Calls;

/// <summary>Core time that may be used: grows with time up to a maximum, and is taken by calls.</summary>
internal struct CallRate(long nsPerSecond, int secondsKept, long nowNs)
{
    private const long SecondNs = 1_000_000_000;

    private readonly long _maxNs = nsPerSecond * secondsKept;
    private long _leftNs = nsPerSecond * secondsKept;
    private long _countedNs = nowNs;

    /// <summary>What was left when it was last looked at; below 0 it is a debt.</summary>
    public readonly long LeftNs => _leftNs;

    /// <summary>True if a call may take place now: the last one may leave a debt, which time pays.</summary>
    public bool HasSome(long nowNs)
    {
        Count(nowNs);
        return _leftNs > 0;
    }

    /// <summary>True if all that may be kept is there: whoever has used nothing for a while has as much.</summary>
    public bool IsFull(long nowNs)
    {
        Count(nowNs);
        return _leftNs == _maxNs;
    }

    /// <summary>Takes what was used; there may be a debt afterwards.</summary>
    public void Take(long nowNs, long costNs)
    {
        Count(nowNs);
        _leftNs -= costNs;
    }

    private void Count(long nowNs)
    {
        // A long pause fills it; beyond that the product would overflow.
        long elapsedNs = Math.Min(nowNs - _countedNs, secondsKept * 2 * SecondNs);
        _leftNs = Math.Min(_maxNs, _leftNs + (long)((Int128)elapsedNs * nsPerSecond / SecondNs));
        _countedNs = nowNs;
    }
}
