using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>What a large body is made of.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Digest">Its digest.</param>
/// <param name="Manifest">The manifest; its own digest is the body's.</param>
public sealed record BodyManifest(uint Topic, Digest160 Digest, ReadOnlyMemory<byte> Manifest) : IControlMessage<BodyManifest>
{
    /// <inheritdoc/>
    public static ControlType Type => ControlType.BodyManifest;

    /// <inheritdoc/>
    public static BodyManifest Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        Digest160 digest = WireParts.ReadDigest(ref reader);
        ReadOnlyMemory<byte> manifest = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new BodyManifest(topic, digest, manifest);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        WireParts.WriteDigest(ref writer, Digest);
        writer.WriteBlock32(Manifest.Span);
    }
}
