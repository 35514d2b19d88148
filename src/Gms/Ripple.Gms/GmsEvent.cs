using Ripple.Engine.Regions;

namespace Ripple.Gms;

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
