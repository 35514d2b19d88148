namespace Ripple.Simulator.Oracles;

/// <summary>A release at the moment it was announced, with the nodes that knew they were members then.</summary>
/// <param name="Release">The release.</param>
/// <param name="HostLife">The start of the host that announced it.</param>
/// <param name="Members">The nodes, each with the life of its process.</param>
internal sealed record CommitRecord(ModelRelease Release, int HostLife, IReadOnlyList<(NodeRecord Node, int Life)> Members);
