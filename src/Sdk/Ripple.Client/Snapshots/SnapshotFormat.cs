namespace Ripple.Client.Snapshots;

/// <summary>
/// The format of a snapshot file, little-endian: magic with version; the authority's certificate with a u32 length; flags for the states
/// that follow; since version 2, the rejections with a u16 count, each with generation, release and reason. Each state: its signer's
/// certificate and the headers of its chain, each with a u32 length, the signature, the key table, the values held. Last, SHA-256 of
/// everything before it, which detects disk corruption; trust rests on the signatures alone.
/// </summary>
internal static class SnapshotFormat
{
    /// <summary>Maximum size of a file to read: 1 GiB.</summary>
    public const long FileBytesMax = 1L << 30;

    /// <summary>The state accepted last follows.</summary>
    public const byte HasApplied = 1;

    /// <summary>A newer state follows, received but not in effect.</summary>
    public const byte HasReceived = 2;

    /// <summary>The node does not hold the key's value.</summary>
    public const byte NotHeld = 0;

    /// <summary>The key's value follows the table.</summary>
    public const byte Held = 1;

    /// <summary>The key's value is in the preceding state.</summary>
    public const byte HeldByFirst = 2;

    /// <summary>The first bytes.</summary>
    public static ReadOnlySpan<byte> Magic => "RPLSNAP2"u8;

    /// <summary>The first bytes of a file of version 1, which has no rejections. It is read, and replaced at the next save.</summary>
    public static ReadOnlySpan<byte> Magic1 => "RPLSNAP1"u8;
}
