using Microsoft.AspNetCore.Http;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Gms.Api;

/// <summary>The request headers of a change.</summary>
/// <param name="PublishId">The publisher's id for the change.</param>
/// <param name="Expected">The newest release that the publisher knows.</param>
internal readonly record struct ChangeHeaders(Guid PublishId, ExpectedState Expected)
{
    /// <exception cref="ApiProblemException">A header is invalid.</exception>
    public static ChangeHeaders Of(HttpRequest request) => new(ReadPublishId(request), ReadExpected(request));

    private static Guid ReadPublishId(HttpRequest request)
    {
        string? text = request.Headers[AdminRoutes.IdempotencyKeyHeader];
        return text is null
            ? Guid.NewGuid()
            : Guid.TryParse(text, out Guid id) && id != Guid.Empty
                ? id
                : throw ApiProblemException.Invalid(
                    $"{AdminRoutes.IdempotencyKeyHeader} '{text}' is not a GUID other than zero. "
                        + $"Make one for each change, and send it again when you ask again.");
    }

    private static ExpectedState ReadExpected(HttpRequest request)
    {
        string? text = request.Headers.IfMatch;
        if (text is null or "*")
        {
            return ExpectedState.Any;
        }

        return text.Length > 2
            && text[0] == '"'
            && text[^1] == '"'
            && ReleaseNumber.TryParse(text[1..^1], out ReleaseNumber expected)
            ? ExpectedState.Of(expected.Generation, expected.Release)
            : throw ApiProblemException.Invalid(
                $"If-Match '{text}' is not a release. Give the newest release you know as \"2/12\", with its generation, or \"12\" alone, "
                    + $"or \"0\" when there should be none yet.");
    }
}
