using System.Net.Http.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>Tokens, roles and the audit log.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>The tokens the caller administers, without secrets, sorted by id; revoked ones are included.</summary>
    public IAsyncEnumerable<TokenInfo> ListTokensAsync(CancellationToken cancellationToken = default) => PagesAsync(
        cursor => PathText.Query($"{AdminRoutes.Prefix}/tokens", ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
        AdminJson.Default.PageTokenInfo,
        cancellationToken);

    /// <summary>Creates a token. The result contains its secret, which is shown only this once.</summary>
    public Task<CreatedToken> CreateTokenAsync(CreateTokenRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return _http.SendAsync(
            new HttpCall(HttpMethod.Post, $"{AdminRoutes.Prefix}/tokens")
            {
                Content = () => JsonContent.Create(request, AdminJson.Default.CreateTokenRequest),
                MayRepeat = false,
            },
            AdminJson.Default.CreatedToken,
            cancellationToken);
    }

    /// <summary>Revokes a token: nodes that enrolled with it are removed, and none is admitted again. Idempotent.</summary>
    public Task RevokeTokenAsync(string tokenId, CancellationToken cancellationToken = default) =>
        _http.SendAsync(new HttpCall(HttpMethod.Delete, $"{AdminRoutes.Prefix}/tokens/{Uri.EscapeDataString(tokenId)}"), cancellationToken);

    /// <summary>The roles of tokens.</summary>
    /// <param name="application">Only roles in this application; null for all the caller administers.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public IAsyncEnumerable<RoleGrant> ListRolesAsync(string? application = null, CancellationToken cancellationToken = default) =>
        PagesAsync(
            cursor => PathText.Query(
                $"{AdminRoutes.Prefix}/roles", ("application", application), ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageRoleGrant,
            cancellationToken);

    /// <summary>Gives a token a role in an application (<c>*</c> for all), replacing the previous one.</summary>
    public Task<RoleGrant> SetRoleAsync(string tokenId, string application, Role role, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            new HttpCall(HttpMethod.Put, Grant(tokenId, application))
            {
                Content = () => JsonContent.Create(new SetRoleRequest(role), AdminJson.Default.SetRoleRequest),
            },
            AdminJson.Default.RoleGrant,
            cancellationToken);

    /// <summary>Removes a token's role in an application. Idempotent.</summary>
    public Task RemoveRoleAsync(string tokenId, string application, CancellationToken cancellationToken = default) =>
        _http.SendAsync(new HttpCall(HttpMethod.Delete, Grant(tokenId, application)), cancellationToken);

    /// <summary>The audit log, newest first.</summary>
    /// <param name="application">Only entries of this application; null for all.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public IAsyncEnumerable<AuditInfo> ListAuditAsync(string? application = null, CancellationToken cancellationToken = default) =>
        PagesAsync(
            cursor => PathText.Query(
                $"{AdminRoutes.Prefix}/audit", ("application", application), ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageAuditInfo,
            cancellationToken);

    private static string Grant(string tokenId, string application) =>
        $"{AdminRoutes.Prefix}/roles/{Uri.EscapeDataString(tokenId)}/{Uri.EscapeDataString(application)}";
}
