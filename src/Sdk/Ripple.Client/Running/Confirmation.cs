namespace Ripple.Client.Running;

/// <summary>When a host last said that this client has what the hosts have. Written on the core thread, read by anybody.</summary>
internal sealed class Confirmation(TimeProvider clock)
{
    private static readonly TimeSpan KeptEvery = TimeSpan.FromMinutes(1);
    private long _ticks;
    private long _keptTicks;

    /// <summary>When; null for never.</summary>
    public DateTimeOffset? At => Volatile.Read(ref _ticks) is var ticks and not 0 ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    /// <summary>Takes what an earlier process kept.</summary>
    public void Restore(DateTimeOffset at) => Volatile.Write(ref _ticks, at.UtcTicks);

    /// <summary>A host said so now. True when it is time to keep it on disk: once a minute.</summary>
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
