namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// Scope of one reload on this thread: suppresses change notifications for options whose section did not change, and isolates the
/// exceptions of callbacks from each other.
/// </summary>
internal sealed class ReloadScope : IDisposable
{
    [ThreadStatic]
    private static ReloadScope? _current;

    private readonly ReloadScope? _outer;
    private readonly Action<Exception> _onFailed;
    private readonly Dictionary<OptionsValidator, HashSet<OptionsKey>> _unchanged = [];

    private ReloadScope(IEnumerable<ValidationOutcome> verdicts, Action<Exception> onFailed)
    {
        _onFailed = onFailed;
        foreach (ValidationOutcome verdict in verdicts)
        {
            _unchanged[verdict.Guard] = [.. verdict.Hashes.Keys.Where(verdict.IsUnchanged)];
            verdict.Commit();
        }

        (_outer, _current) = (_current, this);
    }

    /// <summary>Begins to tell; the verdicts are taken as what is in effect.</summary>
    public static ReloadScope Enter(IEnumerable<ValidationOutcome> verdicts, Action<Exception> onFailed) => new(verdicts, onFailed);

    /// <summary>True when this reload changes nothing for such options. False outside of a release's reload.</summary>
    public static bool Spares(OptionsValidator guard, OptionsKey key) =>
        _current is { } scope && scope._unchanged.TryGetValue(guard, out HashSet<OptionsKey>? unchanged) && unchanged.Contains(key);

    /// <summary>Takes what a callback threw. False outside of a release's reload: it is somebody else's.</summary>
    public static bool TryReport(Exception exception)
    {
        _current?._onFailed(exception);
        return _current is not null;
    }

    public void Dispose() => _current = _outer;
}
