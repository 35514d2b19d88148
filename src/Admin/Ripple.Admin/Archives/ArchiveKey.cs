namespace Ripple.Admin.Archives;

/// <summary>A key in an archive.</summary>
/// <param name="Key">The key.</param>
/// <param name="Entry">The zip entry that contains its value, byte for byte.</param>
/// <param name="LengthBytes">The size of its value, in bytes.</param>
/// <param name="Sha256">SHA-256 of its value, 64 hexadecimal digits.</param>
public sealed record ArchiveKey(string Key, string Entry, int LengthBytes, string Sha256);
