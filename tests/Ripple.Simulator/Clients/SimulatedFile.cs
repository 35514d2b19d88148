namespace Ripple.Simulator.Clients;

/// <summary>A file's content on a simulated disk. Immutable.</summary>
/// <param name="Content">The bytes.</param>
/// <param name="Mark">What the writer was saving, for checkers; null if unknown, and after damage.</param>
/// <param name="IsFlushed">Whether the bytes survive a loss of power.</param>
internal sealed record SimulatedFile(ReadOnlyMemory<byte> Content, object? Mark, bool IsFlushed);
