using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Extensions;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Gms.Api;

/// <summary>
/// The admin API of a host that does not lead: each request is sent on to the leader, with its method and body (307). It asks for no token,
/// looks at none, and tells nothing but where the leader is.
/// </summary>
internal static class StandbyApi
{
    /// <summary>Answers a request.</summary>
    /// <param name="context">The request.</param>
    /// <param name="leading">Who leads; null if that is not known now.</param>
    public static async Task AnswerAsync(HttpContext context, LeadingHost? leading)
    {
        HttpResponse response = context.Response;
        response.Headers.CacheControl = "no-store";
        response.Headers.XContentTypeOptions = "nosniff";
        Problem problem;
        if (leading is null)
        {
            problem = new Problem
            {
                Code = ProblemCodes.Busy,
                Title = "Nobody leads that this host knows of",
                Detail = LeadingHost.NotKnown,
                Status = StatusCodes.Status503ServiceUnavailable,
            };
            response.Headers.RetryAfter = "1";
        }
        else
        {
            problem = new Problem
            {
                Code = ProblemCodes.NotLeader,
                Title = "Another host leads",
                Detail = leading.ToString(),
                Status = StatusCodes.Status307TemporaryRedirect,
            };
            response.Headers.Location = $"https://{leading.Endpoint}{context.Request.GetEncodedPathAndQuery()}";
        }

        response.StatusCode = problem.Status;
        response.ContentType = "application/problem+json";
        await JsonSerializer.SerializeAsync(
            response.Body, problem, AdminJson.Default.Problem, context.RequestAborted).ConfigureAwait(false);
    }
}

/// <summary>The host that leads, as a standby tells it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Endpoint">Where nodes and the admin API of the cluster are.</param>
internal sealed record LeadingHost(string Name, HostEndpoint Endpoint)
{
    /// <summary>The answer of a standby that does not know who leads.</summary>
    public const string NotKnown = "not the leader: this host stands by, and does not know now who leads. Try again, or another host.";

    /// <summary>The answer while the host that leads, by the database, takes no connections.</summary>
    public string AwayText => $"not the leader: {Name} at {Endpoint} leads, and cannot be reached from here. Try again, or another host.";

    /// <inheritdoc/>
    public override string ToString() => $"not the leader: {Name} at {Endpoint}";
}
