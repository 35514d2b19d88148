using System.Globalization;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>Rules that a batch must satisfy independently of the store's content.</summary>
internal static class CommitBatchRules
{
    private const int TokenIdCharsMax = 64;
    private const int SecretHashBytes = 32;

    public static string? Check(CommitBatch batch)
    {
        int items = batch.Applications.Count + batch.Generations.Count + batch.Releases.Count + batch.Prunings.Count + batch.Audit.Count
            + batch.Tokens.Count + batch.RevokedNodes.Count;
        if (items > StoreLimits.BatchItemsMax)
        {
            return Text($"The batch has {items} changes, {StoreLimits.BatchItemsMax} are allowed. Commit it in parts.");
        }

        if (batch.IncarnationCounter > long.MaxValue)
        {
            return Text($"The incarnation counter {batch.IncarnationCounter} is out of range.");
        }

        int members = batch.Members.Sum(m => m.Left.Count + m.Joined.Count);
        if (members > StoreLimits.MemberChangesMax)
        {
            return Text($"The batch has {members} changes of members, {StoreLimits.MemberChangesMax} are allowed. Commit it in parts.");
        }

        return First(batch.Applications, CheckApplication)
            ?? First(batch.Generations, g => g.Generation == 0 ? "The generation is 0. Generations count from 1." : null)
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
            : ReleaseNames.CheckApplication(application.Name);

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
