using Ripple.Engine.Releases;

namespace Ripple.Gms.Calls;

/// <summary>A snapshot of an application. Immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Generation">The generation of its next release.</param>
/// <param name="State">Its newest committed state.</param>
/// <param name="NodeCount">The number of nodes that currently receive its releases.</param>
internal sealed record ApplicationView(string Name, uint Generation, ReleaseState State, int NodeCount);
