namespace Ripple.Engine.Releases;

/// <summary>
/// The search for a past state to start from, where the newest release is rejected and none was accepted: first the one that most members
/// have in effect, then those before the newest. Holds one state at a time. Core thread.
/// </summary>
internal sealed class PastSearch
{
    /// <summary>The most releases before the newest that are looked at, besides the one that most members have.</summary>
    public const int BeforeMax = 8;

    /// <summary>How often values that were unavailable are asked for again, before the state they belong to is passed over.</summary>
    private const int AgainMax = 5;

    private readonly ulong _newest;
    private ulong _before;
    private bool _isMostAppliedDue;
    private int _againCount;

    /// <param name="newest">The newest release, which was rejected.</param>
    public PastSearch(ulong newest)
    {
        _newest = _before = newest;
        _isMostAppliedDue = newest > 1;
    }

    /// <summary>The values of the state that is being fetched; null while none is.</summary>
    public SnapshotFetch? Fetch { get; private set; }

    /// <summary>Whether the proof of a state is being verified.</summary>
    public bool IsVerifying { get; set; }

    /// <summary>A state that is whole, and is to be decided on; null for none.</summary>
    public ApplicationState? Whole { get; private set; }

    /// <summary>What to ask for next; null when nothing is left.</summary>
    /// <param name="tried">The releases that were decided on: they are passed over.</param>
    public PastQuestion? Next(IReadOnlySet<ulong> tried)
    {
        if (_isMostAppliedDue)
        {
            return new PastQuestion(_newest, IsMostApplied: true);
        }

        while (IsWithin && tried.Contains(_before - 1))
        {
            _before--;
        }

        return IsWithin ? new PastQuestion(_before, IsMostApplied: false) : null;
    }

    /// <summary>A question was answered, whatever came.</summary>
    /// <param name="question">The question.</param>
    /// <param name="isThere">False when there is no such release; then there are none before it either.</param>
    public void OnAnswered(PastQuestion question, bool isThere)
    {
        if (question.IsMostApplied)
        {
            _isMostAppliedDue = false;
        }
        else
        {
            _before = isThere ? question.Before - 1 : 0;
        }
    }

    /// <summary>The values of a verified state are to be fetched.</summary>
    public void Begin(SnapshotFetch fetch)
    {
        Fetch = fetch;
        _againCount = 0;
    }

    /// <summary>Every value is there.</summary>
    public void OnWhole()
    {
        Whole = Fetch!.Build();
        Fetch = null;
    }

    /// <summary>Takes the whole state, to be decided on.</summary>
    public ApplicationState Take()
    {
        ApplicationState whole = Whole!;
        Whole = null;
        return whole;
    }

    /// <summary>Asks again for values that were unavailable; a state whose values do not come is passed over.</summary>
    public void TryAgain()
    {
        if (Fetch is not { HasFailed: true } fetch)
        {
            return;
        }

        if (++_againCount > AgainMax)
        {
            Fetch = null;
        }
        else
        {
            fetch.TryAgain();
        }
    }

    private bool IsWithin => _before > 1 && _newest - (_before - 1) <= BeforeMax;
}

/// <summary>Which past state is asked for.</summary>
/// <param name="Before">A release older than this one.</param>
/// <param name="IsMostApplied">Of those the one that most members have in effect; else the one right before it.</param>
internal readonly record struct PastQuestion(ulong Before, bool IsMostApplied);

/// <summary>How a host ended a question for a past state.</summary>
internal enum PastAnswer
{
    /// <summary>It sent the state, or cannot send this one: the next is asked for.</summary>
    Ended,

    /// <summary>There is no such release, and none before it.</summary>
    None,

    /// <summary>It cannot answer now, and is asked the same again.</summary>
    Busy,
}
