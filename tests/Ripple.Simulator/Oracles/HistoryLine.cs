namespace Ripple.Simulator.Oracles;

/// <summary>A release in the answer to a question for the history.</summary>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The release number.</param>
/// <param name="Name">The release's name.</param>
/// <param name="Note">The publisher's note.</param>
/// <param name="Keys">The changed keys, or the first of them.</param>
internal sealed record HistoryLine(uint Generation, ulong Release, string Name, string Note, IReadOnlyList<string> Keys);
