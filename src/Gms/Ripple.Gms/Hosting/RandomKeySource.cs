using System.Security.Cryptography;
using Ripple.Gms.Membership;

namespace Ripple.Gms.Hosting;

/// <summary>Region keys from the system's cryptographic generator. Any thread.</summary>
public sealed class RandomKeySource : IKeySource
{
    private const int KeyBytes = 16;

    /// <inheritdoc/>
    public byte[] NewRegionKey() => RandomNumberGenerator.GetBytes(KeyBytes);
}
