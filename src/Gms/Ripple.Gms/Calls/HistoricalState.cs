using System.Collections.Immutable;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Calls;

/// <summary>The key table of an application at a release. Immutable.</summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="Generation">The release's generation; 0 before the first.</param>
/// <param name="Release">The release; 0 before the first.</param>
/// <param name="Keys">Its keys, in the order of their bytes.</param>
internal sealed record HistoricalState(uint Topic, uint Generation, ulong Release, ImmutableSortedDictionary<string, KeyEntry> Keys)
{
    public static HistoricalState Of(uint topic, ReleaseState state) => new(topic, state.Generation, state.Release, state.Keys);
}
