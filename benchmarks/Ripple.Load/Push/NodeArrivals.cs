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

        if (release.Release <= _release)
        {
            return;
        }

        // Left out by the watch, or by the node, which need not decide a release that a newer one has replaced.
        int leftOut = (int)(release.Release - _release - 1);
        all.AddSkipped(leftOut);
        _release = release.Release;
        AddOne(publish, release.Release);
        for (; leftOut > 0; leftOut--)
        {
            AddOne(_through, 0);
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

        while (_through <= publish)
        {
            AddOne(_through, 0);
        }
    }

    /// <summary>
    /// Counts one publish. Which one was left out is not known, so the first that is missing is taken for it; publishes that are under way
    /// together may change places, and then that one still comes. It is counted for the next that is missing.
    /// </summary>
    private void AddOne(int publish, ulong release)
    {
        if (publish < _through || !_early.Add(publish))
        {
            (publish, release) = (_through, 0);
            _early.Add(publish);
        }

        while (_early.Remove(_through))
        {
            _through++;
        }

        all.Add(publish, release);
    }
}
