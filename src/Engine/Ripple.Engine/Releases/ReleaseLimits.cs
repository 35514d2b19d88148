namespace Ripple.Engine.Releases;

/// <summary>
/// The sizes nothing of a release may exceed, checked where it is published and wherever it is decoded. Larger things are refused whole,
/// never cut.
/// </summary>
public static class ReleaseLimits
{
    /// <summary>The longest key, in bytes of UTF-8.</summary>
    public const int KeyBytesMax = 512;

    /// <summary>The longest application name, in characters (all ASCII).</summary>
    public const int ApplicationCharsMax = 100;

    /// <summary>The longest actor, in bytes of UTF-8: what one length byte can say.</summary>
    public const int ActorBytesMax = 255;

    /// <summary>The longest note, in bytes of UTF-8.</summary>
    public const int NoteBytesMax = 2048;

    /// <summary>The most changed keys of one release.</summary>
    public const int ChangesMax = 1000;

    /// <summary>
    /// The longest encoded header, in bytes. With 1,000 changes it leaves about 70 bytes for a key on average; fewer changes may have
    /// longer keys.
    /// </summary>
    public const int HeaderBytesMax = 98304;

    /// <summary>The longest value of a key, in bytes.</summary>
    public const int BodyBytesMax = 16 * 1024 * 1024;

    /// <summary>The most bytes of values in one release, together.</summary>
    public const int PublishBytesMax = 16 * 1024 * 1024;
}
