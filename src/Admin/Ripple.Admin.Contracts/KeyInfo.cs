namespace Ripple.Admin.Contracts;

/// <summary>A key at a release.</summary>
/// <param name="Key">The key.</param>
/// <param name="LengthBytes">The size of its value, in bytes.</param>
/// <param name="Digest">The digest of its value, 40 hexadecimal digits.</param>
/// <param name="IsJson">Whether the value has been checked to be JSON.</param>
public sealed record KeyInfo(string Key, int LengthBytes, string Digest, bool IsJson);
