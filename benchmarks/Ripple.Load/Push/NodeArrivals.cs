namespace Ripple.Load.Push;

/// <summary>
/// What one node has of the publishes. A node that goes to a newer state at once has all older ones with it: they arrive at that moment, as
/// the generator of the peers counts them too. One call at a time.
/// </summary>
internal sealed class NodeArrivals(Arrivals all)
{
    private readonly HashSet<int> _early = [];
    private int _through;
    private ulong _release;

    /// <summary>Notes a release that a watch brought.</summary>
    public void Add(RippleRelease release)
    {
        int publish = release.Values.TryGetValue(LoadValue.Key, out ReadOnlyMemory<byte> value) ? LoadValue.Check(value) : -1;
        if (publish < 0)
        {
            all.AddBad();
            return;
        }

        // Left out by the watch, or by the node, which need not decide a release that a newer one has replaced.
        int leftOut = release.Release > _release + 1 ? (int)(release.Release - _release - 1) : 0;
        all.AddSkipped(leftOut);
        _release = Math.Max(_release, release.Release);
        AddOnce(publish, release.Release);
        for (; leftOut > 0; leftOut--)
        {
            AddOnce(_through, 0);
        }
    }

    /// <summary>Notes settings; how many states were left out before them cannot be told, so all publishes before have arrived.</summary>
    public void Add(LoadSettings settings)
    {
        int publish = LoadValue.Check(settings);
        if (publish < 0)
        {
            all.AddBad();
            return;
        }

        while (_through < publish)
        {
            AddOnce(_through, 0);
        }

        AddOnce(publish, 0);
    }

    private void AddOnce(int publish, ulong release)
    {
        if (publish < _through || !_early.Add(publish))
        {
            return;
        }

        while (_early.Remove(_through))
        {
            _through++;
        }

        all.Add(publish, release);
    }
}
