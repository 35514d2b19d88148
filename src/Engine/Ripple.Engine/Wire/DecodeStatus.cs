namespace Ripple.Engine.Wire;

/// <summary>The result of decoding. Decoders never throw, whatever the bytes.</summary>
internal enum DecodeStatus
{
    /// <summary>Well formed; nothing was left over.</summary>
    Ok,

    /// <summary>The bytes end before the message does.</summary>
    Truncated,

    /// <summary>A length, a count, a text or a value that this version does not allow, or bytes after the end.</summary>
    Malformed,

    /// <summary>A version this build does not know.</summary>
    UnknownVersion,
}
