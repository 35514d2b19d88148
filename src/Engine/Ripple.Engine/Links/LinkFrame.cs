namespace Ripple.Engine.Links;

/// <summary>
/// The layout of a frame on a control link: u32 length of the rest, u16 type, body; little-endian. Types below
/// <see cref="FirstProtocolType"/> belong to the link itself (enrollment, admission, goodbye) and never reach a handler.
/// </summary>
internal static class LinkFrame
{
    /// <summary>Bytes before the body; a frame takes up this much of a link's send room in addition to its body.</summary>
    public const int HeaderBytes = 6;

    /// <summary>The longest body in bytes. A longer one closes the link.</summary>
    public const int BodyBytesMax = 131_072;

    /// <summary>The first type the protocol may use; 1 to 15 are reserved for the link.</summary>
    public const ushort FirstProtocolType = 16;
}
