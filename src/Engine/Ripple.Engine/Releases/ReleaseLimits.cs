namespace Ripple.Engine.Releases;

/// <summary>
/// The size limits of a release, checked on publishing and on every decode. A release above a limit is refused as a whole, never truncated.
/// </summary>
public static class ReleaseLimits
{
    /// <summary>The longest key, in bytes of UTF-8.</summary>
    public const int KeyBytesMax = 512;

    /// <summary>The longest application name, in characters (all ASCII).</summary>
    public const int ApplicationCharsMax = 100;

    /// <summary>The longest actor, in bytes of UTF-8: the range of its length byte.</summary>
    public const int ActorBytesMax = 255;

    /// <summary>The longest note, in bytes of UTF-8.</summary>
    public const int NoteBytesMax = 2048;

    /// <summary>
    /// The most keys of an application. A node that starts takes the whole table before anything else, and holds about 0.6 KB of memory for
    /// each key besides its name and value.
    /// </summary>
    public const int KeysMax = 1_000_000;

    /// <summary>The most changed keys of one release.</summary>
    public const int ChangesMax = 1000;

    /// <summary>
    /// The longest encoded header, in bytes. With 1,000 changes this leaves about 70 bytes per key on average; with fewer changes keys may
    /// be longer.
    /// </summary>
    public const int HeaderBytesMax = 98304;

    /// <summary>The longest value of a key, in bytes.</summary>
    public const int BodyBytesMax = 16 * 1024 * 1024;

    /// <summary>The most bytes of all values in one release together.</summary>
    public const int PublishBytesMax = 16 * 1024 * 1024;
}
