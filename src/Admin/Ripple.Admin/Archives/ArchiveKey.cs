namespace Ripple.Admin.Archives;

/// <summary>A key in an archive.</summary>
/// <param name="Key">The key.</param>
/// <param name="Entry">The entry of the zip that holds its value, byte for byte.</param>
/// <param name="LengthBytes">The bytes of its value.</param>
/// <param name="Sha256">SHA-256 of its value, 64 hexadecimal digits.</param>
public sealed record ArchiveKey(string Key, string Entry, int LengthBytes, string Sha256);
