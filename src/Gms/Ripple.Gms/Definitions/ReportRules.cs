using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Definitions;

/// <summary>
/// The rules for reports of externals: they are of what was declared, say no more than is committed, and never go back. Pure; any thread.
/// </summary>
/// <param name="inEffect">The definitions in effect.</param>
/// <param name="newest">The newest release of the application, with its generation.</param>
/// <param name="levels">The levels that are declared, or will be by the same publish.</param>
/// <param name="externals">The externals that are defined, or will be by the same publish.</param>
internal sealed class ReportRules(ApplicationDefinitions inEffect, ReleaseNumber newest, string[] levels, string[] externals)
{
    /// <summary>The longest report: two numbers and a slash.</summary>
    private const int BytesMax = 31;

    /// <summary>The refusal of a report; null if it is fine on what is in effect.</summary>
    public Refusal? Refuse(DefinitionKey key, ReadOnlySpan<byte> value)
    {
        (string external, string level) = key.Reported;
        if (!externals.Contains(external))
        {
            return new Refusal(
                ErrorCode.NotFound,
                $"There is no external '{external}'. {NearNames.Say(external, externals)} An administrator defines them.");
        }

        if (!levels.Contains(level))
        {
            return new Refusal(
                ErrorCode.NotFound, $"There is no level '{level}' of its own. {NearNames.Say(level, levels)} Declare it first.");
        }

        if (value.Length > BytesMax || ExternalReport.TryRead(external, level, Encoding.UTF8.GetString(value)) is not { } report)
        {
            return new Refusal(ErrorCode.InvalidRequest, $"The text of '{key}' is no release. Give it with its generation: 1/42.");
        }

        if (report.Generation != newest.Generation || report.Release > newest.Release)
        {
            return new Refusal(ErrorCode.NotFound, $"There is no release {report.Text} to report: the newest is {newest}.");
        }

        return inEffect.Reports.TryGetValue(key.Name, out ExternalReport? before) && report.IsWithin(before)
            ? new Refusal(
                ErrorCode.NothingChanged, $"'{external}' has reported '{level}' of {before.Text} already, which says so of {report.Text}.")
            : null;
    }

    /// <summary>
    /// What judges, where the order is decided, that reports were checked against those that they follow; null if a publish has none.
    /// </summary>
    public static Func<ReleaseState, Refusal?>? GuardOf(PublishInput input, ApplicationDefinitions inEffect)
    {
        string[] keys = [.. input.Keys.Select(k => k.Key).Where(DefinitionKey.IsReport)];
        return keys.Length == 0 ? null : state => keys.All(key => IsSame(state, inEffect, key))
            ? null
            : new Refusal(ErrorCode.Busy, "Another report of the same came between. Ask again with the same publish id.");
    }

    /// <summary>
    /// The refusal of changes that would let a report go back, or be without its external: it is removed with that, and with it alone. Null
    /// if none does.
    /// </summary>
    /// <param name="state">The state they are ordered on.</param>
    /// <param name="set">The keys that are set.</param>
    /// <param name="removed">The keys that are removed.</param>
    public static Refusal? CheckOrdered(ReleaseState state, SortedSet<string> set, SortedSet<string> removed)
    {
        foreach (string key in state.Keys.Keys.Concat(set).Where(DefinitionKey.IsReport))
        {
            if (!DefinitionKey.TryRead(key, out DefinitionKey definition, out _))
            {
                continue;
            }

            string external = DefinitionKey.ExternalPrefix + definition.Reported.External;
            bool isDefined = (state.Keys.ContainsKey(external) || set.Contains(external)) && !removed.Contains(external);
            bool isReported = !removed.Contains(key);
            if (isReported != isDefined)
            {
                return new Refusal(ErrorCode.InvalidRequest, $"'{key}' and '{external}' go together: remove both, or neither.");
            }
        }

        return null;
    }

    private static bool IsSame(ReleaseState state, ApplicationDefinitions inEffect, string key)
    {
        Digest160? ordered = state.Keys.TryGetValue(key, out KeyEntry entry) ? entry.Digest : null;
        Digest160? judged = inEffect.Reports.TryGetValue(key[DefinitionKey.ReportPrefix.Length..], out ExternalReport? report)
            ? ContentDigest.Compute(Encoding.UTF8.GetBytes(report.Text))
            : null;
        return ordered == judged;
    }
}
