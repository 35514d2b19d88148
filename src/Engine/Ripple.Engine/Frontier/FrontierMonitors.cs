using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Frontier;

/// <summary>
/// The monitors of one application, at most <see cref="MonitorsMax"/>. A monitor follows the members that are there: who joins counts from then on, who
/// leaves no longer. It is called when the value exceeds all it was told in this generation. Belongs to the core thread.
/// </summary>
public sealed class FrontierMonitors
{
    /// <summary>The most monitors.</summary>
    public const int MonitorsMax = 256;

    private readonly BindingContext _context;
    private readonly PredicateNames _names;
    private readonly List<FrontierMonitor> _monitors = [];
    private bool _isLooking;

    internal FrontierMonitors(BindingContext context, PredicateNames names)
    {
        _context = context;
        _names = names;
    }

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// Follows a predicate. The callback runs on the core thread, at once when there is a value already. An empty set is not an error here, for members
    /// may join: see <see cref="FrontierMonitor.Problem"/>. False when there are too many.
    /// </summary>
    public bool TryStart(
        Predicate predicate,
        Action<FrontierMonitor, ulong> onGrown,
        [NotNullWhen(true)] out FrontierMonitor? monitor,
        [NotNullWhen(false)] out PredicateError? error) => TryStart(null, predicate, onGrown, out monitor, out error);

    /// <summary>Follows a named predicate, and what it is changed to. False when there is none of that name, or there are too many monitors.</summary>
    public bool TryStart(
        string name,
        Action<FrontierMonitor, ulong> onGrown,
        [NotNullWhen(true)] out FrontierMonitor? monitor,
        [NotNullWhen(false)] out PredicateError? error)
    {
        monitor = null;
        return _names.TryGet(name, out Predicate? predicate, out error) && TryStart(name, predicate, onGrown, out monitor, out error);
    }

    /// <summary>Ends a monitor; nothing happens when it has ended.</summary>
    public void Cancel(FrontierMonitor monitor)
    {
        ArgumentNullException.ThrowIfNull(monitor);
        if (!monitor.IsEnded)
        {
            monitor.IsEnded = true;
            Count--;
            Settle();
        }
    }

    internal void Close()
    {
        foreach (FrontierMonitor monitor in _monitors)
        {
            monitor.IsEnded = true;
        }

        Count = 0;
        Settle();
    }

    internal void OnChanged(string name, Predicate predicate)
    {
        for (int i = 0; i < _monitors.Count; i++)
        {
            if (!_monitors[i].IsEnded && _monitors[i].Name == name)
            {
                _monitors[i].Change(predicate);
            }
        }
    }

    internal void Look()
    {
        if (_isLooking)
        {
            return;
        }

        _isLooking = true;
        // By index: callbacks may start monitors, which have looked for themselves, and end others.
        for (int i = 0; i < _monitors.Count; i++)
        {
            if (!_monitors[i].IsEnded)
            {
                _monitors[i].Update(_context);
            }
        }

        _isLooking = false;
        Settle();
    }

    private bool TryStart(
        string? name,
        Predicate predicate,
        Action<FrontierMonitor, ulong> onGrown,
        [NotNullWhen(true)] out FrontierMonitor? monitor,
        [NotNullWhen(false)] out PredicateError? error)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        ArgumentNullException.ThrowIfNull(onGrown);
        monitor = null;
        if (Count == MonitorsMax)
        {
            error = new PredicateError(0, $"{MonitorsMax} monitors on {_context.Table.Application} exist; end some.");
            return false;
        }

        error = null;
        monitor = new FrontierMonitor(name, predicate, _context.Table.Generation, onGrown);
        _monitors.Add(monitor);
        Count++;
        monitor.Update(_context);
        return true;
    }

    private void Settle()
    {
        if (!_isLooking)
        {
            _monitors.RemoveAll(static monitor => monitor.IsEnded);
        }
    }
}
