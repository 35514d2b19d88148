using System.Collections.Concurrent;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// What follows a swap. First every options type that the release changes forgets its cached objects; from then on the release is in
/// effect for all readers. Then the callbacks are called, in order, each once. While one of them hangs, another thread may call the rest.
/// </summary>
internal sealed class Reload
{
    [ThreadStatic]
    private static Reload? _current;

    private readonly Action<Exception> _onFailed;
    private readonly Dictionary<OptionsValidator, IReadOnlyCollection<OptionsKey>> _judged = [];
    private readonly ConcurrentQueue<Action> _calls = new();

    /// <summary>Records the outcomes as the state in effect, and forgets what is not of it.</summary>
    /// <param name="outcomes">The validations of the release; empty if what is shown was not validated, and may change everything.</param>
    /// <param name="containers">The containers that see the change.</param>
    /// <param name="raise">Raises the configuration's own reloads, after the options' listeners were called.</param>
    /// <param name="onFailed">Receives what callbacks throw.</param>
    public Reload(
        IReadOnlyCollection<ValidationOutcome> outcomes,
        IEnumerable<OptionsValidator> containers,
        IEnumerable<Action> raise,
        Action<Exception> onFailed)
    {
        _onFailed = onFailed;
        foreach (ValidationOutcome outcome in outcomes)
        {
            HashSet<OptionsKey> changed = [.. outcome.Hashes.Keys.Where(key => !outcome.IsUnchanged(key))];
            outcome.Commit();
            _judged[outcome.Validator] = [.. outcome.Hashes.Keys];
            Forget(outcome.Validator, changed.Contains);
            foreach (Action call in outcome.Validator.Monitors.SelectMany(m => m.CallsOf(changed)))
            {
                _calls.Enqueue(call);
            }
        }

        foreach (OptionsValidator unjudged in containers.Where(c => !_judged.ContainsKey(c)))
        {
            Forget(unjudged, _ => true);
        }

        foreach (Action call in raise)
        {
            _calls.Enqueue(call);
        }
    }

    /// <summary>Whether every callback was called; some may not have returned.</summary>
    public bool IsCalled => _calls.IsEmpty;

    /// <summary>
    /// Whether this thread raises the configuration's reload for a release that has told its change of these options, if any, before.
    /// </summary>
    public static bool Spares(OptionsValidator validator, OptionsKey key) =>
        _current is { } reload
        && reload._judged.TryGetValue(validator, out IReadOnlyCollection<OptionsKey>? judged)
        && judged.Contains(key);

    /// <summary>Reports an exception thrown by a callback. Returns false outside a release's reload, where others must handle it.</summary>
    public static bool TryReport(Exception exception)
    {
        _current?._onFailed(exception);
        return _current is not null;
    }

    /// <summary>Calls what has not been called yet.</summary>
    public void Call()
    {
        (Reload? outer, _current) = (_current, this);
        try
        {
            while (_calls.TryDequeue(out Action? call))
            {
                Guard(call);
            }
        }
        finally
        {
            _current = outer;
        }
    }

    private void Forget(OptionsValidator validator, Predicate<OptionsKey> isChanged)
    {
        foreach (IFollowingMonitor monitor in validator.Monitors)
        {
            Guard(() => monitor.Forget(isChanged));
        }
    }

    private void Guard(Action call)
    {
        try
        {
            call();
        }
        catch (AggregateException e)
        {
            foreach (Exception inner in e.Flatten().InnerExceptions)
            {
                _onFailed(inner);
            }
        }
        catch (Exception e)
        {
            _onFailed(e);
        }
    }
}
