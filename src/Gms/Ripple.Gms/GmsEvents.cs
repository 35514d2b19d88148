using Ripple.Engine.Core;
using Ripple.Engine.Regions;

namespace Ripple.Gms;

/// <summary>
/// Posts the host's events to the log. When the outlet is full, new events are dropped and counted: the core never waits for a log.
/// </summary>
internal sealed class GmsEvents(Outlet<GmsEvent>? outlet)
{
    /// <summary>Events dropped because the outlet was full.</summary>
    public long Dropped { get; private set; }

    internal void OnRefused(NodeId node, string what) => Post(GmsEventKind.Refused, node.ToString(), what);

    internal void OnEpochNotRaised() => Post(GmsEventKind.StoreFailed, "store", "the slot epoch could not be raised; the node tries again");

    internal void Post(GmsEventKind kind, string subject, string detail, NodeId node = default, string? application = null)
    {
        if (outlet is not null && !outlet.TryPost(new GmsEvent(kind, subject, detail) { Node = node, Application = application }))
        {
            Dropped++;
        }
    }
}

/// <summary>An event of interest to operators. Posted by the core, logged by a thread outside it.</summary>
/// <param name="Kind">The kind of event.</param>
/// <param name="Subject">The subject of the event.</param>
/// <param name="Detail">Details, for display.</param>
internal readonly record struct GmsEvent(GmsEventKind Kind, string Subject, string Detail)
{
    /// <summary>The node it is about; none unless a member was removed.</summary>
    public NodeId Node { get; init; }

    /// <summary>That node's application; null unless a member was removed.</summary>
    public string? Application { get; init; }
}
