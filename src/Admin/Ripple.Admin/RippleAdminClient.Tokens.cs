using System.Net.Http.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>Tokens, roles and the audit.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>The tokens the caller administers, without secrets, by id; revoked ones too.</summary>
    public IAsyncEnumerable<TokenInfo> ListTokensAsync(CancellationToken cancellationToken = default) => PagesAsync(
        cursor => PathText.Query($"{AdminRoutes.Prefix}/tokens", ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
        AdminJson.Default.PageTokenInfo,
        cancellationToken);

    /// <summary>Makes a token. The answer holds its secret, which is told only now.</summary>
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

    /// <summary>Revokes a token: nodes that enrolled with it are removed, and none is let in again. Once more is fine.</summary>
    public Task RevokeTokenAsync(string tokenId, CancellationToken cancellationToken = default) =>
        _http.SendAsync(new HttpCall(HttpMethod.Delete, $"{AdminRoutes.Prefix}/tokens/{Uri.EscapeDataString(tokenId)}"), cancellationToken);

    /// <summary>Who may do what.</summary>
    /// <param name="application">Only in this application; null for all that the caller administers.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public IAsyncEnumerable<RoleGrant> ListRolesAsync(string? application = null, CancellationToken cancellationToken = default) =>
        PagesAsync(
            cursor => PathText.Query(
                $"{AdminRoutes.Prefix}/roles", ("application", application), ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageRoleGrant,
            cancellationToken);

    /// <summary>Gives a token a role in an application (<c>*</c>: in all), instead of the one it had there.</summary>
    public Task<RoleGrant> SetRoleAsync(string tokenId, string application, Role role, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            new HttpCall(HttpMethod.Put, Grant(tokenId, application))
            {
                Content = () => JsonContent.Create(new SetRoleRequest(role), AdminJson.Default.SetRoleRequest),
            },
            AdminJson.Default.RoleGrant,
            cancellationToken);

    /// <summary>Takes a token's role in an application away. Once more is fine.</summary>
    public Task RemoveRoleAsync(string tokenId, string application, CancellationToken cancellationToken = default) =>
        _http.SendAsync(new HttpCall(HttpMethod.Delete, Grant(tokenId, application)), cancellationToken);

    /// <summary>Who did what, newest first.</summary>
    /// <param name="application">Only in this application; null for everything.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public IAsyncEnumerable<AuditInfo> ListAuditAsync(string? application = null, CancellationToken cancellationToken = default) =>
        PagesAsync(
            cursor => PathText.Query(
                $"{AdminRoutes.Prefix}/audit", ("application", application), ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageAuditInfo,
            cancellationToken);

    private static string Grant(string tokenId, string application) =>
        $"{AdminRoutes.Prefix}/roles/{Uri.EscapeDataString(tokenId)}/{Uri.EscapeDataString(application)}";
}
