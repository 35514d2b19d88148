using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>One key of a publish; the bodies of set keys follow as parts, in this order.</summary>
/// <param name="Key">The key.</param>
/// <param name="IsRemove">True to remove the key.</param>
/// <param name="Length">The length of its value in bytes; 0 for a removal.</param>
internal sealed record PublishKey(string Key, bool IsRemove, uint Length)
{
    internal static PublishKey Read(ref WireReader reader)
    {
        string key = reader.ReadText16(4_096);
        bool isRemove = reader.ReadBool();
        uint length = reader.ReadU32();
        return new PublishKey(key, isRemove, length);
    }

    internal void Write(ref WireWriter writer)
    {
        writer.WriteText16(Key);
        writer.WriteBool(IsRemove);
        writer.WriteU32(Length);
    }
}
