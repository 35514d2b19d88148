using Ripple.Engine.Frontier;
using Ripple.Engine.Frontier.Predicates;
using Ripple.Engine.Frontier.Waits;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Gms.Frontier;

/// <summary>
/// A wait that somebody asked this host for: first it is to be bound, then it runs. Disposing of it ends it without an answer.
/// </summary>
internal sealed class HostedWait(ApplicationWaits owner, Wait asked, Predicate predicate, IReadOnlyList<FrontierRow> members) : IDisposable
{
    /// <summary>What was asked.</summary>
    public Wait Asked => asked;

    /// <summary>The generation of the release that is waited for: as asked, or the one that was the present one then.</summary>
    public required uint Generation { get; init; }

    /// <summary>The predicate.</summary>
    public Predicate Predicate => predicate;

    /// <summary>The members it is bound to.</summary>
    public IReadOnlyList<FrontierRow> Members => members;

    /// <summary>What it costs.</summary>
    public required WaitLedger.Lease Lease { get; init; }

    /// <summary>Called with its progress.</summary>
    public required Action<WaitProgress> OnProgress { get; init; }

    /// <summary>Called with its answer.</summary>
    public required Action<WaitResult> OnEnded { get; init; }

    /// <summary>When it times out, in the core's nanoseconds; null for never. It counts from the asking.</summary>
    public required long? DeadlineNs { get; init; }

    /// <summary>Its place among those that are to be bound; null from then on.</summary>
    public LinkedListNode<HostedWait>? Place { get; set; }

    /// <summary>The wait that runs; null before.</summary>
    public FrontierWait? Running { get; set; }

    /// <summary>True once it was answered or disposed of.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Gives back what it holds; does nothing the second time.</summary>
    public void End()
    {
        IsEnded = true;
        Lease.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose() => owner.Cancel(this);
}
