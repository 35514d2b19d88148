namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// Scope of one reload on this thread: suppresses change notifications for options whose section did not change, and isolates callback
/// exceptions from each other.
/// </summary>
internal sealed class ReloadScope : IDisposable
{
    [ThreadStatic]
    private static ReloadScope? _current;

    private readonly ReloadScope? _outer;
    private readonly Action<Exception> _onFailed;
    private readonly Dictionary<OptionsValidator, HashSet<OptionsKey>> _unchanged = [];

    private ReloadScope(IEnumerable<ValidationOutcome> outcomes, Action<Exception> onFailed)
    {
        _onFailed = onFailed;
        foreach (ValidationOutcome outcome in outcomes)
        {
            _unchanged[outcome.Validator] = [.. outcome.Hashes.Keys.Where(outcome.IsUnchanged)];
            outcome.Commit();
        }

        (_outer, _current) = (_current, this);
    }

    /// <summary>Enters the scope and records the outcomes as the state in effect.</summary>
    public static ReloadScope Enter(IEnumerable<ValidationOutcome> outcomes, Action<Exception> onFailed) => new(outcomes, onFailed);

    /// <summary>Whether this reload leaves these options unchanged. False outside a release's reload.</summary>
    public static bool Spares(OptionsValidator validator, OptionsKey key) =>
        _current is { } scope && scope._unchanged.TryGetValue(validator, out HashSet<OptionsKey>? unchanged) && unchanged.Contains(key);

    /// <summary>Reports an exception thrown by a callback. Returns false outside a release's reload, where others must handle it.</summary>
    public static bool TryReport(Exception exception)
    {
        _current?._onFailed(exception);
        return _current is not null;
    }

    public void Dispose() => _current = _outer;
}
