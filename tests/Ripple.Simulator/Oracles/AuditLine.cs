namespace Ripple.Simulator.Oracles;

/// <summary>A line that an audit must have.</summary>
/// <param name="Action">The action as a dotted name.</param>
/// <param name="Actor">Who did it; null when the world does not know how the host calls it.</param>
/// <param name="Application">The application; null for the whole cluster.</param>
/// <param name="Release">The release; null if none is concerned.</param>
/// <param name="Detail">The note of the publisher; null when the text is the host's own.</param>
internal sealed record AuditLine(string Action, string? Actor, string? Application, ulong? Release, string? Detail);
