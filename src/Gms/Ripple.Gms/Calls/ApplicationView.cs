using Ripple.Engine.Releases;

namespace Ripple.Gms.Calls;

/// <summary>An application as it is at one moment. Immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Generation">The generation of its next release.</param>
/// <param name="State">Its newest committed state.</param>
/// <param name="NodeCount">Nodes that take its releases now.</param>
internal sealed record ApplicationView(string Name, uint Generation, ReleaseState State, int NodeCount);
