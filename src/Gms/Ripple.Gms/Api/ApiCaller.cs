using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Ripple.Gms.Calls;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Api;

/// <summary>The authenticated sender of a request, identified by its token. Immutable.</summary>
/// <param name="token">The token as read from the store.</param>
/// <param name="tokensVersion">The token list version that it was read at.</param>
internal sealed class ApiCaller(AccessToken token, long tokensVersion)
{
    public AccessToken Token => token;

    /// <summary>The actor recorded with changes.</summary>
    public string Actor => ActorText.Of(token);

    /// <summary>The caller in the form that the host's calls expect.</summary>
    public Caller ForCalls => new(token.Id, Actor, token, tokensVersion);

    /// <summary>The caller of an authenticated request.</summary>
    public static ApiCaller Of(HttpContext context) =>
        context.Features.Get<ApiCaller>() ?? throw new InvalidOperationException("The request was let in without a caller.");

    public bool Allows(string application, AccessRole role) => token.Allows(application, role);

    public void DemandAnywhere(AccessRole role)
    {
        if (token.Grants.Length == 0 || token.HighestRole < role)
        {
            string word = role.ToString().ToLowerInvariant();
            throw ApiProblemException.NotAllowed(
                $"The token {token.Id} does not allow this: it takes the role {word} in some application. Ask an administrator to set it.");
        }
    }

    public void Demand(string application, AccessRole role)
    {
        if (!Allows(application, role))
        {
            throw new ApiProblemException(Authorizer.NotAllowed(token.Id, application, role));
        }
    }
}

/// <summary>
/// Authenticates callers by bearer token: the same tokens that nodes enroll with, checked against the store's current state.
/// </summary>
internal sealed class AccessTokenAuthentication(
    IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory loggers, UrlEncoder encoder, ApiContext api)
    : AuthenticationHandler<AuthenticationSchemeOptions>(options, loggers, encoder)
{
    public const string SchemeName = "Bearer";

    private const string Prefix = "Bearer ";

    /// <summary>Compared when the id is unknown, so that an unknown id takes as long as a wrong secret.</summary>
    private static readonly byte[] NoHash = new byte[AccessTokenSecret.HashBytes];

    protected override Task<AuthenticateResult> HandleAuthenticateAsync()
    {
        string? header = Request.Headers.Authorization;
        if (header is null || !header.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase))
        {
            return Task.FromResult(AuthenticateResult.NoResult());
        }

        return JudgeAsync(header[Prefix.Length..].Trim());
    }

    private async Task<AuthenticateResult> JudgeAsync(string text)
    {
        if (!AccessTokenSecret.TryParse(text, out AccessTokenSecret? secret))
        {
            return Wrong("not a token");
        }

        (AccessToken? token, long version) = await api.Tokens.ReadAsync(secret!.Id, Context.RequestAborted).ConfigureAwait(false);
        if (!secret.Matches(token is null ? NoHash : token.SecretHash.Span) || token is null || !token.IsGood(api.Clock.UnixMicros))
        {
            return Wrong("not good here");
        }

        Context.Features.Set(new ApiCaller(token, version));
        var identity = new ClaimsIdentity([new Claim(ClaimTypes.NameIdentifier, token.Id)], SchemeName);
        return AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(identity), SchemeName));
    }

    private AuthenticateResult Wrong(string what)
    {
        api.OnWrongCredential(Context.Connection.RemoteIpAddress?.ToString() ?? "an unknown address");
        return AuthenticateResult.Fail(what);
    }
}
