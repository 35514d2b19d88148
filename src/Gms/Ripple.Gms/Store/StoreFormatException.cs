using System.Globalization;

namespace Ripple.Gms.Store;

/// <summary>The store was written by a later version. It is left unchanged.</summary>
public sealed class StoreFormatException : StoreException
{
    /// <summary>Creates an exception that names both versions.</summary>
    public StoreFormatException(string store, long foundVersion, int knownVersion)
        : base(string.Create(CultureInfo.InvariantCulture,
            $"The store '{store}' has format {foundVersion}; this version reads formats up to {knownVersion}. "
                + $"Run the version that wrote it or a later one, or restore a backup made before it was upgraded."))
    {
        FoundVersion = foundVersion;
        KnownVersion = knownVersion;
    }

    /// <summary>The format of the store.</summary>
    public long FoundVersion { get; }

    /// <summary>The latest format this version reads.</summary>
    public int KnownVersion { get; }
}
