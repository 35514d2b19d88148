using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

/// <summary>
/// Where the hosts of the cluster are, the one that tells it first: behind the answer to a join, and whenever they are others. Sent only to
/// nodes from version 7 on.
/// </summary>
/// <param name="Endpoints">Their endpoints as in a connection string, at most <see cref="EndpointsMax"/>.</param>
internal sealed record ClusterHosts(IReadOnlyList<string> Endpoints) : IMessage<ClusterHosts>
{
    /// <summary>The most hosts that are told.</summary>
    public const int EndpointsMax = 16;

    /// <summary>The most bytes of an endpoint.</summary>
    public const int EndpointBytesMax = byte.MaxValue;

    /// <inheritdoc/>
    public static MessageType Type => MessageType.ClusterHosts;

    /// <inheritdoc/>
    public static ClusterHosts Read(ref WireReader reader) => new(WireParts.ReadTexts(ref reader, EndpointsMax));

    /// <inheritdoc/>
    public void Write(ref WireWriter writer) => WireParts.WriteTexts(ref writer, Endpoints);
}
