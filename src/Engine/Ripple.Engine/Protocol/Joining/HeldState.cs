using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

/// <summary>The state of one application that a node holds when it joins.</summary>
/// <param name="Application">The application.</param>
/// <param name="Generation">Its generation; 0 when the node holds nothing.</param>
/// <param name="Release">The newest release of its chain.</param>
/// <param name="Id">That release's id.</param>
internal sealed record HeldState(string Application, uint Generation, ulong Release, Digest160 Id)
{
    internal static HeldState Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        return new HeldState(application, reader.ReadU32(), reader.ReadU64(), WireParts.ReadDigest(ref reader));
    }

    internal void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        WireParts.WriteDigest(ref writer, Id);
    }
}
