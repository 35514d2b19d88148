namespace Ripple.Cli.Output;

/// <summary>
/// The value of a key. At most one of <paramref name="Text"/> and <paramref name="Bytes"/> is set; neither if it was written to a file.
/// </summary>
/// <param name="Application">The application.</param>
/// <param name="Key">The key.</param>
/// <param name="Generation">The generation of the release.</param>
/// <param name="Release">The release it was read at.</param>
/// <param name="LengthBytes">The size of the value, in bytes.</param>
/// <param name="Text">The value if it is UTF-8; otherwise null.</param>
/// <param name="Bytes">The value in base64 if it is not UTF-8; otherwise null.</param>
internal sealed record ReadValue(
    string Application, string Key, uint Generation, ulong Release, int LengthBytes, string? Text, byte[]? Bytes);
