using System.Security.Cryptography;
using Ripple.Engine.Wire;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Server;

/// <summary>Keys from the system's cryptographic generator. Any thread.</summary>
internal sealed class RandomKeySource : IKeySource
{
    /// <inheritdoc/>
    public byte[] NewRegionKey() => RandomNumberGenerator.GetBytes(RegionKey.KeyBytes);

    /// <inheritdoc/>
    public byte[] NewMemberKey() => RandomNumberGenerator.GetBytes(MemberKey.KeyBytes);
}
