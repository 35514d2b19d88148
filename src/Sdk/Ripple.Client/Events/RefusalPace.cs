using Ripple.Engine.Releases;

namespace Ripple.Client.Events;

/// <summary>
/// Limits how often refusals are reported, because a forger can cause any number of them. For each application, reports one refused value
/// and one refusal of any other kind in ten seconds, so that forged messages do not hide a value that cannot be fetched. Core thread.
/// </summary>
internal sealed class RefusalPace
{
    /// <summary>The minimum time between two reports of a kind.</summary>
    public const long PauseNs = 10_000_000_000;

    private readonly SortedDictionary<string, LastReport> _values = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, LastReport> _others = new(StringComparer.Ordinal);

    /// <summary>Whether to report the refusal now.</summary>
    /// <param name="application">One of the node's applications.</param>
    /// <param name="refusal">What was refused.</param>
    /// <param name="nowNs">The core's time.</param>
    /// <param name="omitted">How many of its kind were not reported since the last one.</param>
    public bool TryReport(string application, IntakeRefusal refusal, long nowNs, out long omitted)
    {
        SortedDictionary<string, LastReport> kind = refusal.Key is null ? _others : _values;
        bool isNew = !kind.TryGetValue(application, out LastReport? last);
        if (isNew)
        {
            kind[application] = last = new LastReport();
        }

        omitted = last!.Omitted;
        if (!isNew && nowNs - last.AtNs < PauseNs)
        {
            last.Omitted++;
            return false;
        }

        last.AtNs = nowNs;
        last.Omitted = 0;
        return true;
    }

    private sealed class LastReport
    {
        public long AtNs { get; set; }

        public long Omitted { get; set; }
    }
}
