namespace Ripple.Engine.Frontier;

/// <summary>Somebody who follows the value of a predicate. Made by <see cref="FrontierMonitors"/>. Belongs to the core thread.</summary>
public sealed class FrontierMonitor
{
    private readonly Action<FrontierMonitor, ulong> _onGrown;
    private BoundPredicate? _bound;
    private long _membershipVersion = -1;
    private uint _generation;

    internal FrontierMonitor(string? name, Predicate predicate, uint generation, Action<FrontierMonitor, ulong> onGrown)
    {
        Name = name;
        Predicate = predicate;
        _generation = generation;
        _onGrown = onGrown;
    }

    /// <summary>The named predicate it follows, through its changes; null when it follows a text.</summary>
    public string? Name { get; }

    /// <summary>What is followed now.</summary>
    public Predicate Predicate { get; private set; }

    /// <summary>The greatest value reported in this generation, under this predicate; 0 for none.</summary>
    public ulong Reported { get; private set; }

    /// <summary>Why there is no value now, such as a set without members; null while there is one. It is tried again when members come or go.</summary>
    public PredicateError? Problem { get; private set; }

    /// <summary>True once it was cancelled.</summary>
    public bool IsEnded { get; internal set; }

    /// <summary>Follows another predicate: what was reported is forgotten.</summary>
    internal void Change(Predicate predicate)
    {
        Predicate = predicate;
        Reported = 0;
        _membershipVersion = -1;
    }

    internal void Update(BindingContext context)
    {
        FrontierTable table = context.Table;
        if (_generation != table.Generation)
        {
            _generation = table.Generation;
            Reported = 0;
        }

        if (_membershipVersion != table.MembershipVersion)
        {
            _membershipVersion = table.MembershipVersion;
            Problem = Predicate.TryBind(context, out _bound, out PredicateError? error) ? null : error;
        }

        ulong value = _bound?.Evaluate() ?? 0;
        if (value > Reported)
        {
            Reported = value;
            _onGrown(this, value);
        }
    }
}
