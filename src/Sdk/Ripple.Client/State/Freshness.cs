namespace Ripple.Client.State;

/// <summary>When a host last confirmed that this client has the newest releases. The core thread writes it; any thread reads it.</summary>
internal sealed class Freshness(TimeProvider clock)
{
    private static readonly TimeSpan KeptEvery = TimeSpan.FromMinutes(1);
    private long _ticks;
    private long _keptTicks;

    /// <summary>The time of the last confirmation; null before the first.</summary>
    public DateTimeOffset? At => Volatile.Read(ref _ticks) is var ticks and not 0 ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    /// <summary>Starts from the time that an earlier process kept on disk.</summary>
    public void Restore(DateTimeOffset at) => Volatile.Write(ref _ticks, at.UtcTicks);

    /// <summary>Records a confirmation. True when it is due to be kept on disk: once a minute.</summary>
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
