namespace Ripple.Client.Snapshots;

/// <summary>
/// The file of a snapshot, little-endian: magic with version; the authority behind a u32 length; which states follow. A state: its signer
/// and each header of its chain behind u32 lengths, the signature, the key table, the values held. At the end SHA-256 of all that: it finds
/// a broken disk; trust comes from the signatures alone.
/// </summary>
internal static class SnapshotFormat
{
    /// <summary>The longest file that is read: 1 GiB.</summary>
    public const long FileBytesMax = 1L << 30;

    /// <summary>A state that is in effect follows.</summary>
    public const byte HasApplied = 1;

    /// <summary>A newer state, received and not in effect, follows.</summary>
    public const byte HasReceived = 2;

    /// <summary>A key whose value this node does not hold.</summary>
    public const byte NotHeld = 0;

    /// <summary>A key whose value follows the table.</summary>
    public const byte Held = 1;

    /// <summary>A key whose value is in the state before.</summary>
    public const byte HeldByFirst = 2;

    /// <summary>The first bytes.</summary>
    public static ReadOnlySpan<byte> Magic => "RPLSNAP1"u8;
}
