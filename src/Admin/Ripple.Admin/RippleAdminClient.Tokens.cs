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

    /// <summary>
    /// Revokes a token: nodes that enrolled with it are removed, and none is admitted again. What it made ends with it. Idempotent.
    /// </summary>
    public Task<EndedRights> RevokeTokenAsync(string tokenId, CancellationToken cancellationToken = default) =>
        RevokeTokenAsync(tokenId, keepMade: false, cancellationToken);

    /// <summary>Revokes a token.</summary>
    /// <param name="tokenId">The token's id.</param>
    /// <param name="keepMade">True if the tokens that it made and the roles that it gave stay.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public Task<EndedRights> RevokeTokenAsync(string tokenId, bool keepMade, CancellationToken cancellationToken = default) =>
        EndAsync(TokenPath(tokenId), keepMade, isDryRun: false, cancellationToken);

    /// <summary>What ends when a token is revoked with what it made. Changes nothing.</summary>
    public Task<EndedRights> PlanRevokeTokenAsync(string tokenId, CancellationToken cancellationToken = default) =>
        EndAsync(TokenPath(tokenId), keepMade: false, isDryRun: true, cancellationToken);

    /// <summary>The roles of tokens.</summary>
    /// <param name="application">Only roles in this application; null for all the caller administers.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public IAsyncEnumerable<RoleGrant> ListRolesAsync(string? application = null, CancellationToken cancellationToken = default) =>
        PagesAsync(
            cursor => PathText.Query(
                $"{AdminRoutes.Prefix}/roles", ("application", application), ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageRoleGrant,
            cancellationToken);

    /// <summary>
    /// Gives a token a role in an application (<c>*</c> for all), replacing the previous one. Where the token administered the application
    /// and no longer does, what it made there ends.
    /// </summary>
    public Task<RoleGrant> SetRoleAsync(string tokenId, string application, Role role, CancellationToken cancellationToken = default) =>
        SetRoleAsync(tokenId, application, role, keepMade: false, outlives: false, cancellationToken);

    /// <summary>Gives a token a role in an application, replacing the previous one.</summary>
    /// <param name="tokenId">The token's id.</param>
    /// <param name="application">The application; <c>*</c> for all.</param>
    /// <param name="role">The role.</param>
    /// <param name="keepMade">True if what the token made in the application stays although it no longer administers it.</param>
    /// <param name="outlives">
    /// True if the role stays when the caller's token has expired; for administrators of the cluster. Otherwise a token that lives longer
    /// than the caller's is given none.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public Task<RoleGrant> SetRoleAsync(
        string tokenId, string application, Role role, bool keepMade, bool outlives, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            new HttpCall(
                HttpMethod.Put,
                PathText.Query(Grant(tokenId, application), Flag("keepMade", keepMade), Flag("outlives", outlives)))
            {
                Content = () => JsonContent.Create(new SetRoleRequest(role), AdminJson.Default.SetRoleRequest),
            },
            AdminJson.Default.RoleGrant,
            cancellationToken);

    /// <summary>Removes a token's role in an application. What was made by that right ends with it. Idempotent.</summary>
    public Task<EndedRights> RemoveRoleAsync(string tokenId, string application, CancellationToken cancellationToken = default) =>
        RemoveRoleAsync(tokenId, application, keepMade: false, cancellationToken);

    /// <summary>Removes a token's role in an application.</summary>
    /// <param name="tokenId">The token's id.</param>
    /// <param name="application">The application; <c>*</c> for the role in all.</param>
    /// <param name="keepMade">True if what was made by that right stays.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public Task<EndedRights> RemoveRoleAsync(
        string tokenId, string application, bool keepMade, CancellationToken cancellationToken = default) =>
        EndAsync(Grant(tokenId, application), keepMade, isDryRun: false, cancellationToken);

    /// <summary>What ends when a role is removed with what was made by it. Changes nothing.</summary>
    public Task<EndedRights> PlanRemoveRoleAsync(string tokenId, string application, CancellationToken cancellationToken = default) =>
        EndAsync(Grant(tokenId, application), keepMade: false, isDryRun: true, cancellationToken);

    /// <summary>The audit log, newest first.</summary>
    /// <param name="application">Only entries of this application; null for all, or for the one that the caller administers.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public IAsyncEnumerable<AuditInfo> ListAuditAsync(string? application = null, CancellationToken cancellationToken = default) =>
        PagesAsync(
            cursor => PathText.Query(
                $"{AdminRoutes.Prefix}/audit", ("application", application), ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageAuditInfo,
            cancellationToken);

    private static (string Name, object? Value) Flag(string name, bool isSet) => (name, isSet ? "true" : null);

    private static string TokenPath(string tokenId) => $"{AdminRoutes.Prefix}/tokens/{Uri.EscapeDataString(tokenId)}";

    private Task<EndedRights> EndAsync(string path, bool keepMade, bool isDryRun, CancellationToken cancellationToken) => _http.SendAsync(
        new HttpCall(HttpMethod.Delete, PathText.Query(path, Flag("keepMade", keepMade), Flag("dryRun", isDryRun))),
        AdminJson.Default.EndedRights,
        cancellationToken);

    private static string Grant(string tokenId, string application) =>
        $"{AdminRoutes.Prefix}/roles/{Uri.EscapeDataString(tokenId)}/{Uri.EscapeDataString(application)}";
}
