using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <summary>The catch-up of one application on one connection, and its progress. Core thread.</summary>
internal sealed class CatchUpJob(ApplicationPrimary primary, uint generation, ulong release, Digest160 id)
{
    public ApplicationPrimary Primary { get; } = primary;

    public uint Generation { get; private set; } = generation;

    public ulong Release { get; private set; } = release;

    public Digest160 Id { get; private set; } = id;

    /// <summary>True once the node's state is known to be on this chain.</summary>
    public bool IsOnChain { get; set; }

    public bool MustSnapshot { get; set; }

    /// <summary>
    /// True while the node claims a release of this host's own generation that was not compared with the one this host has of that number.
    /// </summary>
    public bool MustCompare =>
        !IsOnChain && Release > 0 && Generation == Primary.Committed.Generation && Release < Primary.Committed.Release;

    /// <summary>Moves to the release that the data sent, or about to be sent, leads to.</summary>
    public void MoveTo(uint toGeneration, ulong toRelease, Digest160 toId)
    {
        Generation = toGeneration;
        Release = toRelease;
        Id = toId;
        IsOnChain = true;
    }
}
