using System.Text.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Tests;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>The tokens, roles and audit of a cluster in memory. What a token made is what names it. Under the cluster's lock.</summary>
internal sealed class FakeRights
{
    private readonly List<TokenInfo> _tokens = [];
    private readonly List<AuditInfo> _audit = [];

    /// <summary>All tokens, revoked ones included.</summary>
    public IReadOnlyList<TokenInfo> Tokens => _tokens;

    /// <summary>Adds a token with one role.</summary>
    public FakeRights Add(string tokenId, string name, Role role, string application, string? madeBy = null)
    {
        _tokens.Add(new TokenInfo(
            tokenId, name, TokenState.Good, DateTimeOffset.UnixEpoch, null, null, [new RoleGrant(tokenId, application, role)])
        {
            MadeBy = madeBy,
        });
        return this;
    }

    /// <summary>Adds an entry, newest first.</summary>
    public void AddAudit(string action, string? application, int minute) => _audit.Insert(
        0,
        new AuditInfo(
            _audit.Count + 1, DateTimeOffset.UnixEpoch.AddMinutes(minute), "token:test", action, application, null, $"did {action}"));

    /// <summary>Answers a request for one of its routes.</summary>
    public HttpResponseMessage Answer(HttpRequestMessage request, string[] path, byte[] body)
    {
        string query = request.RequestUri!.Query;
        return (path[0], request.Method.Method) switch
        {
            ("audit", _) => FakeCluster.Ok(
                new Page<AuditInfo>(
                    [
                        .. _audit.Where(a => !query.Contains("application=", StringComparison.Ordinal)
                            || query.Contains($"application={a.Application}&", StringComparison.Ordinal)),
                    ],
                    null),
                AdminJson.Default.PageAuditInfo),
            ("tokens", "GET") => FakeCluster.Ok(new Page<TokenInfo>([.. _tokens], null), AdminJson.Default.PageTokenInfo),
            ("tokens", "POST") => Create(JsonSerializer.Deserialize(body, AdminJson.Default.CreateTokenRequest)!),
            ("tokens", _) => End(t => t.TokenId == path[1] || t.MadeBy == path[1], query),
            ("roles", "GET") => FakeCluster.Ok(
                new Page<RoleGrant>([.. _tokens.SelectMany(t => t.Roles)], null), AdminJson.Default.PageRoleGrant),
            ("roles", "PUT") => Grant(path[1], path[2], JsonSerializer.Deserialize(body, AdminJson.Default.SetRoleRequest)!.Role),
            _ => TakeRole(path[1], path[2], query),
        };
    }

    private HttpResponseMessage Create(CreateTokenRequest request)
    {
        string id = $"{_tokens.Count + 1:x16}";
        Add(id, request.Name, request.Role, request.Applications[0]);
        return FakeCluster.Ok(new CreatedToken(_tokens[^1], FakeHost.ConnectionText), AdminJson.Default.CreatedToken);
    }

    private HttpResponseMessage End(Func<TokenInfo, bool> ends, string query)
    {
        string[] ids = [.. _tokens.Where(ends).Select(t => t.TokenId)];
        if (!query.Contains("dryRun", StringComparison.Ordinal))
        {
            foreach (string id in query.Contains("keepMade", StringComparison.Ordinal) ? ids.Take(1) : ids)
            {
                int index = _tokens.FindIndex(t => t.TokenId == id);
                _tokens[index] = _tokens[index] with { State = TokenState.Revoked, Roles = [] };
            }
        }

        return FakeCluster.Ok(new EndedRights(ids, []), AdminJson.Default.EndedRights);
    }

    private HttpResponseMessage Grant(string tokenId, string application, Role role)
    {
        int index = _tokens.FindIndex(t => t.TokenId == tokenId);
        var grant = new RoleGrant(tokenId, application, role);
        _tokens[index] = _tokens[index] with { Roles = [.. _tokens[index].Roles.Where(r => r.Application != application), grant] };
        return FakeCluster.Ok(grant, AdminJson.Default.RoleGrant);
    }

    private HttpResponseMessage TakeRole(string tokenId, string application, string query)
    {
        int index = _tokens.FindIndex(t => t.TokenId == tokenId);
        RoleGrant[] ended = [.. _tokens[index].Roles.Where(r => r.Application == application)];
        if (!query.Contains("dryRun", StringComparison.Ordinal))
        {
            _tokens[index] = _tokens[index] with { Roles = [.. _tokens[index].Roles.Except(ended)] };
        }

        return FakeCluster.Ok(new EndedRights([], ended), AdminJson.Default.EndedRights);
    }
}
