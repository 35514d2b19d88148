using System.Net.Http.Json;
using System.Text.Json;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Http;

/// <summary>Reads the reason for a host's refusal.</summary>
internal static class ProblemReader
{
    /// <summary>The problem in the response; derived from its status if there is none.</summary>
    public static async Task<Problem> ReadAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        int status = (int)response.StatusCode;
        try
        {
            if (response.Content.Headers.ContentType?.MediaType is "application/problem+json" or "application/json"
                && await response.Content.ReadFromJsonAsync(
                    AdminJson.Default.Problem, cancellationToken).ConfigureAwait(false) is { } problem)
            {
                return problem with { Status = status };
            }
        }
        catch (JsonException)
        {
            // Handled below.
        }

        return new Problem
        {
            Code = status switch
            {
                401 => ProblemCodes.Unauthenticated,
                403 => ProblemCodes.NotAllowed,
                404 => ProblemCodes.NotFound,
                413 => ProblemCodes.TooLarge,
                503 => ProblemCodes.Busy,
                >= 400 and < 500 => ProblemCodes.InvalidRequest,
                _ => ProblemCodes.Internal,
            },
            Title = response.ReasonPhrase ?? "The request failed",
            Detail = $"The host answered {status} without saying why. Check that the endpoint is a host of this cluster and "
                + $"not something before it.",
            Status = status,
        };
    }
}
