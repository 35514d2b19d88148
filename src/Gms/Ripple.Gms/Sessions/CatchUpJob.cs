using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <summary>One application to be brought forward on one connection, and how far that has come. Core thread.</summary>
internal sealed class CatchUpJob(ApplicationPrimary primary, uint generation, ulong release, Digest160 id)
{
    public ApplicationPrimary Primary { get; } = primary;

    public uint Generation { get; private set; } = generation;

    public ulong Release { get; private set; } = release;

    public Digest160 Id { get; private set; } = id;

    /// <summary>What the node has is known to be of this chain.</summary>
    public bool IsOnChain { get; set; }

    public bool MustSnapshot { get; set; }

    /// <summary>The node is sent, or will be, what leads to this release.</summary>
    public void MoveTo(uint toGeneration, ulong toRelease, Digest160 toId)
    {
        Generation = toGeneration;
        Release = toRelease;
        Id = toId;
        IsOnChain = true;
    }
}
