using System.Collections.Immutable;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Store.Postgres;

/// <content>Tokens, their roles, and revoked nodes, each with its audit entry.</content>
internal sealed partial class PostgresPlan
{
    private void AddToken(AccessTokenChange change)
    {
        if (MadeRights.Refuse(change, id => State.Tokens.GetValueOrDefault(id)) is { } wrong)
        {
            throw StoreRefusedException.Of($"{wrong}");
        }

        if (change.Created is { } token)
        {
            Create(token);
            AddAudit(change.ToAudit());
            return;
        }

        if (!State.Tokens.ContainsKey(change.TokenId))
        {
            throw StoreRefusedException.Of($"There is no token '{change.TokenId}'. List the tokens to see their ids.");
        }

        AccessToken[] all = [.. State.Tokens.Values];
        IReadOnlyList<AccessTokenChange> ended = MadeRights.EndedBy(change, all);
        if (ClusterAdministrators.Refuse(change, ended, all) is { } last)
        {
            throw StoreRefusedException.Of($"{last}");
        }

        foreach (AccessTokenChange each in (AccessTokenChange[])[change, .. ended])
        {
            State = State with { Tokens = State.Tokens.SetItem(each.TokenId, each.Apply(State.Tokens[each.TokenId])) };
            Write(each);
            AddAudit(each.ToAudit());
        }
    }

    private void Create(AccessToken token)
    {
        if (State.Tokens.ContainsKey(token.Id))
        {
            throw StoreRefusedException.Of($"There is a token '{token.Id}' already. Make one with another id.");
        }

        State = State with { Tokens = State.Tokens.Add(token.Id, token) };
        After.Add(Parameter.Command(
            "INSERT INTO tokens (id, secret_hash, name, created, expires, revoked, made_by) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            Parameter.Text(token.Id),
            Parameter.Bytes(token.SecretHash.ToArray()),
            Parameter.Text(token.Name),
            Parameter.Number(token.CreatedUnixMicros),
            Parameter.Number(token.ExpiresUnixMicros),
            Parameter.Number(token.RevokedUnixMicros),
            Parameter.Text(token.MadeBy)));
        foreach (AccessTokenGrant grant in token.Grants)
        {
            SetGrant(token.Id, grant);
        }
    }

    private void Write(AccessTokenChange change)
    {
        switch (change.Kind)
        {
            case AccessTokenChangeKind.Grant:
                SetGrant(change.TokenId, change.Granted!.Value);
                break;
            case AccessTokenChangeKind.Withdraw:
                After.Add(Parameter.Command(
                    "DELETE FROM grants WHERE token = $1 AND application = $2",
                    Parameter.Text(change.TokenId),
                    Parameter.Text(change.Granted!.Value.Application)));
                break;
            default:
                After.Add(Parameter.Command(
                    "UPDATE tokens SET revoked = coalesce(revoked, $1) WHERE id = $2",
                    Parameter.Number(change.TimeUnixMicros),
                    Parameter.Text(change.TokenId)));
                break;
        }
    }

    private void SetGrant(string token, AccessTokenGrant grant) => After.Add(Parameter.Command(
        "INSERT INTO grants (token, application, role, made_by) VALUES ($1, $2, $3, $4) "
            + "ON CONFLICT (token, application) DO UPDATE SET role = excluded.role, made_by = excluded.made_by",
        Parameter.Text(token),
        Parameter.Text(grant.Application),
        Parameter.Int((int)grant.Role),
        Parameter.Text(grant.MadeBy)));

    private void AddRevoked(RevokedNode node)
    {
        ImmutableSortedSet<(long TimeUnixMicros, NodeId Node)> byTime = State.RevokedByTime;
        ImmutableHashSet<NodeId> revoked = State.Revoked;
        if (byTime.Count > 0 && byTime.Min.TimeUnixMicros < node.TimeUnixMicros - RevokedNode.KeptMicros)
        {
            while (byTime.Count > 0 && byTime.Min.TimeUnixMicros < node.TimeUnixMicros - RevokedNode.KeptMicros)
            {
                revoked = revoked.Remove(byTime.Min.Node);
                byTime = byTime.Remove(byTime.Min);
            }

            After.Add(Parameter.Command(
                "DELETE FROM revoked_nodes WHERE time < $1", Parameter.Number(node.TimeUnixMicros - RevokedNode.KeptMicros)));
        }

        if (revoked.Count >= StoreLimits.RevokedNodesMax)
        {
            throw StoreRefusedException.Of(
                $"{StoreLimits.RevokedNodesMax} nodes are revoked whose certificates may be good. Revoke the token that they have.");
        }

        if (!revoked.Contains(node.Node))
        {
            revoked = revoked.Add(node.Node);
            byTime = byTime.Add((node.TimeUnixMicros, node.Node));
            After.Add(Parameter.Command(
                "INSERT INTO revoked_nodes (node, name, application, time, actor, reason) VALUES ($1, $2, $3, $4, $5, $6)",
                Parameter.Bytes(SqliteMemberWriter.Bytes(node.Node)),
                Parameter.Text(node.Name),
                Parameter.Text(node.Application),
                Parameter.Number(node.TimeUnixMicros),
                Parameter.Text(node.Actor),
                Parameter.Text(node.Reason)));
        }

        State = State with { Revoked = revoked, RevokedByTime = byTime };
        AddAudit(node.ToAudit());
    }
}
