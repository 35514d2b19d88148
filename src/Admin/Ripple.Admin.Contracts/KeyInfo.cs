namespace Ripple.Admin.Contracts;

/// <summary>A key at a release.</summary>
/// <param name="Key">The key.</param>
/// <param name="LengthBytes">The bytes of its value.</param>
/// <param name="Digest">The digest of its value, 40 hexadecimal digits.</param>
/// <param name="IsJson">True when the value is checked to be JSON.</param>
public sealed record KeyInfo(string Key, int LengthBytes, string Digest, bool IsJson);
