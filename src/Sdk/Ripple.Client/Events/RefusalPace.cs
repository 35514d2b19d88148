using Ripple.Engine.Releases;

namespace Ripple.Client.Events;

/// <summary>
/// Bounds how often refusals are told: a forger makes as many as it likes. For each application one of values and one of anything else in
/// ten seconds, so that a forger's do not hide a value that cannot be had. Core thread.
/// </summary>
internal sealed class RefusalPace
{
    /// <summary>The time between two of a kind.</summary>
    public const long PauseNs = 10_000_000_000;

    private readonly SortedDictionary<string, Said> _values = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, Said> _others = new(StringComparer.Ordinal);

    /// <summary>True when it is to be told now.</summary>
    /// <param name="application">One of the node's applications.</param>
    /// <param name="refusal">What was refused.</param>
    /// <param name="nowNs">The core's time.</param>
    /// <param name="omitted">How many of its kind were not told since the last one.</param>
    public bool TryTell(string application, IntakeRefusal refusal, long nowNs, out long omitted)
    {
        SortedDictionary<string, Said> kind = refusal.Key is null ? _others : _values;
        bool isNew = !kind.TryGetValue(application, out Said? said);
        if (isNew)
        {
            kind[application] = said = new Said();
        }

        omitted = said!.Omitted;
        if (!isNew && nowNs - said.AtNs < PauseNs)
        {
            said.Omitted++;
            return false;
        }

        said.AtNs = nowNs;
        said.Omitted = 0;
        return true;
    }

    private sealed class Said
    {
        public long AtNs { get; set; }

        public long Omitted { get; set; }
    }
}
