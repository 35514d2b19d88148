using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>
/// The nonce of a probe that arrived at the node's data address: proves that the address is the node's and, if that packet was a full one,
/// that the stream's packets get there. Until then the host sends it nothing but probes there.
/// </summary>
/// <param name="RegionId">The region.</param>
/// <param name="NonceHigh">The first eight bytes of the nonce.</param>
/// <param name="NonceLow">The last eight bytes of the nonce.</param>
internal sealed record PathAnswer(ulong RegionId, ulong NonceHigh, ulong NonceLow) : IMessage<PathAnswer>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.PathAnswer;

    /// <inheritdoc/>
    public static PathAnswer Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        ulong high = reader.ReadU64();
        return new PathAnswer(regionId, high, reader.ReadU64());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteU64(NonceHigh);
        writer.WriteU64(NonceLow);
    }
}
