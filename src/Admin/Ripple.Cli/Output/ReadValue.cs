namespace Ripple.Cli.Output;

/// <summary>The value of a key. Exactly one of <paramref name="Text"/> and <paramref name="Bytes"/> is there.</summary>
/// <param name="Application">The application.</param>
/// <param name="Key">The key.</param>
/// <param name="Generation">The generation of the release.</param>
/// <param name="Release">The release it was read at.</param>
/// <param name="LengthBytes">Its bytes.</param>
/// <param name="Text">The value when it is UTF-8; else null.</param>
/// <param name="Bytes">The value when it is not, base64; else null.</param>
internal sealed record ReadValue(
    string Application, string Key, uint Generation, ulong Release, int LengthBytes, string? Text, byte[]? Bytes);
