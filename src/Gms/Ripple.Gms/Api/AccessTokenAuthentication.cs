using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Api;

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
