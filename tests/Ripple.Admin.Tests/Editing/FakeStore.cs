using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Admin.Tests.Editing;

/// <summary>A publish as it was asked for.</summary>
internal sealed record Asked(string PublishId, string Expected, byte[] Bytes, string Note);

/// <summary>
/// Answers for a host with one key: reads, and publishes with an expected release and a publish id. One request at a time.
/// </summary>
internal sealed class FakeStore(string document) : HttpMessageHandler
{
    private readonly Dictionary<string, ulong> _ledger = new(StringComparer.Ordinal);
    private readonly Dictionary<ulong, byte[]?> _before = [];

    public byte[]? Document { get; private set; } = Encoding.UTF8.GetBytes(document);

    public ulong Release { get; private set; } = 7;

    public List<Asked> Publishes { get; } = [];

    /// <summary>Comes before each publish that is new, with its number from 1.</summary>
    public Action<int>? BeforePublish { get; init; }

    /// <summary>How many answers are lost, after the publish was done.</summary>
    public int LostAnswers { get; set; }

    public string Text => Encoding.UTF8.GetString(Document!);

    public RippleAdminClient Client() =>
        new(ConnectionString.Parse(FakeHost.ConnectionText), new RippleAdminOptions { RetryCount = 0 }, this);

    /// <summary>Another's release.</summary>
    public void Put(string? document)
    {
        _before[Release] = Document;
        Document = document is null ? null : Encoding.UTF8.GetBytes(document);
        Release++;
    }

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        if (request.Method == HttpMethod.Get)
        {
            string? past = request.RequestUri!.Query.Split("release=").Skip(1).FirstOrDefault();
            return Value(past is null ? Release : ulong.Parse(past, CultureInfo.InvariantCulture));
        }

        PublishRequest publish = (await request.Content!.ReadFromJsonAsync(AdminJson.Default.PublishRequest, cancellationToken))!;
        var asked = new Asked(
            request.Headers.GetValues(AdminRoutes.IdempotencyKeyHeader).Single(),
            request.Headers.IfMatch.Single().Tag,
            Assert.Single(publish.Set).Bytes!,
            publish.Note);
        Publishes.Add(asked);
        if (request.RequestUri!.Query.Contains("dryRun=true", StringComparison.Ordinal))
        {
            return Answer(new PublishPlan("shop", Release, [], []), AdminJson.Default.PublishPlan);
        }

        if (!_ledger.TryGetValue(asked.PublishId, out ulong release))
        {
            BeforePublish?.Invoke(Publishes.Count);
            if (asked.Expected != $"\"1/{Release}\"")
            {
                return Refuse(HttpStatusCode.PreconditionFailed, ProblemCodes.WrongExpectedRelease);
            }

            _before[Release] = Document;
            Document = asked.Bytes;
            _ledger[asked.PublishId] = release = ++Release;
        }

        if (LostAnswers > 0)
        {
            LostAnswers--;
            throw new HttpRequestException(HttpRequestError.ResponseEnded, "The connection broke.");
        }

        return Answer(
            new PublishResult("shop", 1, release, new string('0', 40), Guid.Parse(asked.PublishId)), AdminJson.Default.PublishResult);
    }

    private HttpResponseMessage Value(ulong release)
    {
        if ((release == Release ? Document : _before[release]) is not { } bytes)
        {
            return Refuse(HttpStatusCode.NotFound, ProblemCodes.NotFound);
        }

        var response = new HttpResponseMessage(HttpStatusCode.OK) { Content = new ByteArrayContent(bytes) };
        response.Headers.Add(AdminRoutes.GenerationHeader, "1");
        response.Headers.Add(AdminRoutes.ReleaseHeader, release.ToString(CultureInfo.InvariantCulture));
        return response;
    }

    private static HttpResponseMessage Answer<T>(T value, JsonTypeInfo<T> type) =>
        new(HttpStatusCode.OK) { Content = JsonContent.Create(value, type) };

    private static HttpResponseMessage Refuse(HttpStatusCode status, string code) => new(status)
    {
        Content = JsonContent.Create(
            new Problem { Code = code, Title = "Refused" }, AdminJson.Default.Problem, new("application/problem+json")),
    };
}
