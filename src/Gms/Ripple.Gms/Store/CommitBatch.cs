using System.Globalization;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// Changes that become durable together or not at all. Applied in the order settings, applications, releases, members, prunings,
/// audit, tokens, revoked nodes. Owned by the store once committed: neither the lists nor their contents may change.
/// </summary>
internal sealed class CommitBatch
{
    private const long PruningBytes = 1_048_576;

    /// <summary>The cluster's id, set once; null to leave it unchanged.</summary>
    public Guid? ClusterId { get; init; }

    /// <summary>The new slot epoch, above the stored one; null to leave it unchanged.</summary>
    public uint? SlotEpoch { get; init; }

    /// <summary>
    /// The least generation of every application, also of those created later; applications below it are raised. A host whose store is a
    /// copy begins with it, so that no release of an earlier generation can follow. Null to leave it unchanged.
    /// </summary>
    public uint? GenerationMin { get; init; }

    /// <summary>Applications to create.</summary>
    public IReadOnlyList<NewApplication> Applications { get; init; } = [];

    /// <summary>Releases to append, in order.</summary>
    public IReadOnlyList<StoredRelease> Releases { get; init; } = [];

    /// <summary>Who is a member of an application from these releases on, and who no more; one an application.</summary>
    public IReadOnlyList<MembershipChange> Members { get; init; } = [];

    /// <summary>Histories to shorten.</summary>
    public IReadOnlyList<HistoryPruning> Prunings { get; init; } = [];

    /// <summary>Audit entries to append.</summary>
    public IReadOnlyList<AuditEntry> Audit { get; init; } = [];

    /// <summary>Token changes; each ends what <see cref="MadeRights"/> says, and appends its own audit entry and theirs.</summary>
    public IReadOnlyList<AccessTokenChange> Tokens { get; init; } = [];

    /// <summary>Nodes to revoke; each appends its own audit entry. No effect on one that is revoked.</summary>
    public IReadOnlyList<RevokedNode> RevokedNodes { get; init; } = [];

    /// <summary>Approximate bytes it occupies in a store's queue: its bodies, headers and a little for each item.</summary>
    public long QueuedBytes
    {
        get
        {
            long bytes = 256L * (1 + Applications.Count + Audit.Count + Tokens.Count + RevokedNodes.Count);
            // What it writes is not in it: a page or so of each table for each change that goes.
            bytes += PruningBytes * Prunings.Count;
            foreach (MembershipChange change in Members)
            {
                bytes += change.QueuedBytes;
            }

            foreach (StoredRelease release in Releases)
            {
                bytes += 256 + release.Header.Encode().Length;
                foreach (StoredBody body in release.Bodies)
                {
                    bytes += body.Bytes.Length;
                }
            }

            return bytes;
        }
    }

    /// <summary>Null if the batch is well formed, else the problem and the remedy. Every store checks this before its own state.</summary>
    public string? Check() => CommitBatchRules.Check(this);
}

/// <summary>An application to create.</summary>
/// <param name="Topic">Its topic number: from 1, unused.</param>
/// <param name="Name">Its name, unused.</param>
/// <param name="Generation">Its first generation, from 1.</param>
internal sealed record NewApplication(uint Topic, string Name, uint Generation);

/// <summary>
/// The end of what is kept of an application's history: releases before one are not read any more, and go, with the values that only they
/// had. Takes about what committing them took, so the one who asks for it goes in steps.
/// </summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="KeptFrom">The oldest release that is kept: one that is there, and not before the oldest that is kept now.</param>
internal readonly record struct HistoryPruning(uint Topic, ulong KeptFrom);

/// <summary>Rules that a batch must satisfy independently of the store's content.</summary>
internal static class CommitBatchRules
{
    private const int TokenIdCharsMax = 64;
    private const int SecretHashBytes = 32;

    public static string? Check(CommitBatch batch)
    {
        int items = batch.Applications.Count + batch.Releases.Count + batch.Prunings.Count + batch.Audit.Count + batch.Tokens.Count
            + batch.RevokedNodes.Count;
        if (items > StoreLimits.BatchItemsMax)
        {
            return Text($"The batch has {items} changes, {StoreLimits.BatchItemsMax} are allowed. Commit it in parts.");
        }

        int members = batch.Members.Sum(m => m.Left.Count + m.Joined.Count);
        if (members > StoreLimits.MemberChangesMax)
        {
            return Text($"The batch has {members} changes of members, {StoreLimits.MemberChangesMax} are allowed. Commit it in parts.");
        }

        return First(batch.Applications, CheckApplication)
            ?? First(batch.Releases, CheckRelease)
            ?? First(batch.Members, CheckMembers)
            ?? First(batch.Prunings, CheckPruning)
            ?? First(batch.Audit, CheckAudit)
            ?? First(batch.Tokens, CheckToken)
            ?? First(batch.RevokedNodes, CheckRevoked);
    }

    private static string? CheckApplication(NewApplication application) =>
        application.Topic == 0 || application.Generation == 0
            ? Text($"The application '{application.Name}' has topic {application.Topic} and generation {application.Generation}. Both count from 1.")
            : CompanionName.CheckReleased(application.Name);

    private static string? CheckRelease(StoredRelease release)
    {
        if (release.Header.Check() is { } wrong)
        {
            return wrong;
        }

        if (release.Signature.Length > StoreLimits.SignatureBytesMax)
        {
            return Text($"The signature block of {release.Header} has {release.Signature.Length} bytes, {StoreLimits.SignatureBytesMax} are allowed.");
        }

        foreach (StoredBody body in release.Bodies)
        {
            if (!release.Header.Changes.Any(
                c => c.Operation == KeyOperation.Set && c.Digest == body.Digest && c.Length == body.Bytes.Length))
            {
                return Text($"The body {body.Digest} of {body.Bytes.Length} bytes is not a value that {release.Header} sets. Store only what the header names.");
            }
        }

        return null;
    }

    private static string? CheckMembers(MembershipChange change) =>
        change.KnownFrom > long.MaxValue ? Text($"Members cannot be known from release {change.KnownFrom} on.")
        : change.Joined.Any(m => m.LastRelease is not null) ? "A member that joins has a last release already. Let it leave later."
        : First(change.Joined, m => m.Check());

    private static string? CheckPruning(HistoryPruning pruning) =>
        pruning.KeptFrom is 0 or > long.MaxValue ? Text($"History cannot be kept from release {pruning.KeptFrom} on.") : null;

    private static string? CheckAudit(AuditEntry entry)
    {
        if (entry.Detail.Length > StoreLimits.AuditDetailCharsMax)
        {
            return Text(
                $"The audit detail has {entry.Detail.Length} characters, {StoreLimits.AuditDetailCharsMax} are allowed. Shorten it.");
        }

        foreach (string name in (string[])[entry.Actor, entry.Action, entry.Application ?? ""])
        {
            if (name.Length > StoreLimits.AuditNameCharsMax || name.Contains('\0', StringComparison.Ordinal))
            {
                return Text(
                    $"An audit name has {name.Length} characters, {StoreLimits.AuditNameCharsMax} without U+0000 are allowed. Shorten it.");
            }
        }

        if (entry.Detail.Contains('\0', StringComparison.Ordinal))
        {
            return "The audit detail has the character U+0000. Remove it.";
        }

        return entry.Release > long.MaxValue ? Text($"The audit entry names release {entry.Release}, which is out of range.") : null;
    }

    private static string? CheckToken(AccessTokenChange change)
    {
        if (change.Created is not { } token)
        {
            return (change.Granted is { } grant ? CheckGrant(grant) : null) ?? CheckAudit(change.ToAudit());
        }

        if (token.Id.Length is 0 or > TokenIdCharsMax || !token.Id.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-'))
        {
            return Text($"The token id '{token.Id}' is not usable. Give 1 to {TokenIdCharsMax} of a-z A-Z 0-9 _ -.");
        }

        if (token.SecretHash.Length != SecretHashBytes)
        {
            return Text($"The token '{token.Id}' has a hash of {token.SecretHash.Length} bytes. Give the SHA-256 of its secret, {SecretHashBytes} bytes.");
        }

        if (token.Grants.IsDefaultOrEmpty)
        {
            return Text($"The token '{token.Id}' names no application. Name some, or * for all.");
        }

        if (token.Grants.DistinctBy(g => g.Application, StringComparer.Ordinal).Count() != token.Grants.Length)
        {
            return Text($"The token '{token.Id}' names an application twice. Name each once.");
        }

        return First(token.Grants, CheckGrant) ?? CheckAudit(change.ToAudit());
    }

    private static string? CheckRevoked(RevokedNode node) =>
        node.Node.IsNone ? "A revoked node has no id. Give the id of its certificate."
        : node.Reason.Length > StoreLimits.RevokedReasonCharsMax ? Text(
            $"The reason has {node.Reason.Length} characters, {StoreLimits.RevokedReasonCharsMax} are allowed. Shorten it.")
        : CheckAudit(node.ToAudit());

    private static string? CheckGrant(AccessTokenGrant grant) => !Enum.IsDefined(grant.Role)
        ? Text($"There is no role {(int)grant.Role}. Give one of {string.Join(", ", Enum.GetNames<AccessRole>())}.")
        : grant.Application == AccessTokenGrant.All ? null : ReleaseNames.CheckApplication(grant.Application);

    private static string? First<T>(IReadOnlyList<T> items, Func<T, string?> check)
    {
        foreach (T item in items)
        {
            if (check(item) is { } wrong)
            {
                return wrong;
            }
        }

        return null;
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
