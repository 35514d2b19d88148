namespace Ripple.Simulator.Oracles;

/// <summary>A read that a publisher asks for.</summary>
/// <param name="Application">The application.</param>
/// <param name="Key">The key.</param>
/// <param name="Release">The release; null for the newest.</param>
/// <param name="AskedNs">When it was asked, in simulated nanoseconds.</param>
internal sealed record ReadQuestion(string Application, string Key, ulong? Release, long AskedNs);
