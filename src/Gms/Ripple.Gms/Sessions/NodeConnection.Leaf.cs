using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <content>What becomes of a member whose region takes its place away.</content>
internal sealed partial class NodeConnection
{
    private readonly SortedDictionary<uint, ulong> _committedBefore = [];

    /// <inheritdoc/>
    public bool KnowsLeaves { get; private set; }

    /// <inheritdoc/>
    public bool IsHeard => _table.IsHeard(this);

    /// <inheritdoc/>
    public void BecomeLeaf()
    {
        State = new ConnectionState.Leaf((ConnectionState.Member)State);
        Suspicion.OnLeft();
        _catchUp.Feed.IsFollowing = true;
    }

    /// <inheritdoc/>
    public void BringForward(ApplicationPrimary primary) => _catchUp.Feed.OnCommitted(primary);

    /// <inheritdoc/>
    public bool KeepsPace()
    {
        bool keepsPace = IsHeard && WaitingBytes == 0;
        foreach (ApplicationPrimary primary in Interest())
        {
            keepsPace &= _committedBefore.TryGetValue(primary.Topic, out ulong before) && Rows!.HasReported(primary.Topic, before);
            _committedBefore[primary.Topic] = primary.Committed.Release;
        }

        return keepsPace;
    }

    /// <inheritdoc/>
    public void EndLeaf()
    {
        _catchUp.Feed.IsFollowing = false;
        _committedBefore.Clear();
        _services.Events.Post(GmsEventKind.LeafReturned, Name, "it takes part in its region again");
    }

    private IEnumerable<ApplicationPrimary> Interest() =>
        State is ConnectionState.Entering entering ? _services.Applications.Of(entering.Identity.Interest) : [];
}
