using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>The key table of an application at a release.</summary>
/// <param name="Generation">The release's generation; 0 before the first.</param>
/// <param name="Release">The release; 0 before the first.</param>
/// <param name="Keys">Its keys, in the order of their bytes.</param>
internal sealed record HistoricalState(uint Generation, ulong Release, ImmutableSortedDictionary<string, KeyEntry> Keys)
{
    /// <param name="api">Where to read.</param>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest, 0 for the empty state before the first.</param>
    /// <exception cref="ApiProblemException">There is no such application or release.</exception>
    public static async Task<HistoricalState> ReadAsync(ApiContext api, string application, ulong? release)
    {
        (uint topic, ReleaseState newest) = await api.Door.StateAsync(application).ConfigureAwait(false);
        if (release is null || release == newest.Release)
        {
            return new HistoricalState(newest.Generation, newest.Release, newest.Keys);
        }

        if (release == 0)
        {
            return new HistoricalState(0, 0, ReleaseState.Empty(application).Keys);
        }

        if (api.HistoricalStates.Find(topic, release.Value) is { } known)
        {
            return known;
        }

        StateRecord? stored = release > newest.Release
            ? null
            : await api.Store.ReadAsync<StateRecord?>(done => api.Store.ReadState(topic, release.Value, done)).ConfigureAwait(false);
        if (stored is null || !ReleaseHeader.TryDecode(stored.Release.Header.Span, out ReleaseHeader? header))
        {
            throw ApiProblemException.NotFound(string.Create(CultureInfo.InvariantCulture, $"'{application}' has no release {release}; the newest is {newest.Release}."));
        }

        var past = new HistoricalState(header.Generation, release.Value, stored.Keys.ToImmutableSortedDictionary(k => k.Key, k => k.Entry, KeyOrder.Instance));
        api.HistoricalStates.Add(topic, past);
        return past;
    }
}
