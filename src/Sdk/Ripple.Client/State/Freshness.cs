namespace Ripple.Client.State;

/// <summary>
/// The time a host last confirmed that this client has the newest releases. Written by the core thread; read by any thread.
/// </summary>
internal sealed class Freshness(TimeProvider clock)
{
    private static readonly TimeSpan KeptEvery = TimeSpan.FromMinutes(1);
    private long _ticks;
    private long _keptTicks;

    /// <summary>The time of the last confirmation; null before the first.</summary>
    public DateTimeOffset? At => Volatile.Read(ref _ticks) is var ticks and not 0 ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    /// <summary>Starts from the time saved to disk by an earlier process.</summary>
    public void Restore(DateTimeOffset at) => Volatile.Write(ref _ticks, at.UtcTicks);

    /// <summary>Records a confirmation. Returns whether it is due to be saved to disk, which is once a minute.</summary>
    public bool Note()
    {
        long ticks = clock.GetUtcNow().UtcTicks;
        Volatile.Write(ref _ticks, ticks);
        if (ticks - _keptTicks < KeptEvery.Ticks && ticks >= _keptTicks)
        {
            return false;
        }

        _keptTicks = ticks;
        return true;
    }
}
