namespace Ripple.Engine.Releases;

/// <summary>One chunk of a value.</summary>
/// <param name="Offset">Where it starts in the value.</param>
/// <param name="Length">Its length in bytes; 0 only for the one chunk of an empty value.</param>
/// <param name="Leaf">SHA-256(0x00 + bytes): verifies the bytes, and identifies equal chunks of two values.</param>
internal readonly record struct ContentChunk(int Offset, int Length, Digest256 Leaf);
