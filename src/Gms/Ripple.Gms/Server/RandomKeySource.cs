using System.Security.Cryptography;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Server;

/// <summary>Region keys from the system's cryptographic generator. Any thread.</summary>
internal sealed class RandomKeySource : IKeySource
{
    private const int KeyBytes = 16;

    /// <inheritdoc/>
    public byte[] NewRegionKey() => RandomNumberGenerator.GetBytes(KeyBytes);
}
