namespace Ripple.Simulator.Adversary;

/// <summary>What became of forged datagrams and frames, over all and by kind.</summary>
internal sealed class ForgeryTally
{
    private readonly SortedDictionary<int, (long Sent, long Opened, long New)> _byKind = [];

    /// <summary>Those sent.</summary>
    public long Sent => _byKind.Values.Sum(c => c.Sent);

    /// <summary>Those that a receiver authenticated and decoded.</summary>
    public long Opened => _byKind.Values.Sum(c => c.Opened);

    /// <summary>Those that reached a table, an intake or a window as something new.</summary>
    public long New => _byKind.Values.Sum(c => c.New);

    /// <summary>The counts of a kind, by its number.</summary>
    public (long Sent, long Opened, long New) Of(int kind) => _byKind.GetValueOrDefault(kind);

    public void OnSent(int kind, int copies = 1)
    {
        (long sent, long opened, long news) = Of(kind);
        _byKind[kind] = (sent + copies, opened, news);
    }

    public void OnHandled(int kind, bool isOpened, bool isNew)
    {
        (long sent, long opened, long news) = Of(kind);
        _byKind[kind] = (sent, opened + (isOpened ? 1 : 0), news + (isOpened && isNew ? 1 : 0));
    }
}
