using System.Globalization;
using System.IO.Pipelines;
using System.Net;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Admin.Tests;

/// <summary>Answers for a host: nodes a test sets, and waits a test tells how far they are. Any thread.</summary>
internal sealed class FakeHost : HttpMessageHandler
{
    private readonly Lock _lock = new();
    private readonly Queue<FakeWait> _waits = new();
    private readonly List<Uri> _asked = [];
    private IReadOnlyList<NodeInfo> _nodes = [];
    private Frontier? _frontier;

    /// <summary>A connection string to nobody, with a token of nobody.</summary>
    public static string ConnectionText { get; } =
        $"Endpoints=host.test:7400;Authority=sha256:{new string('a', 64)};Token={AccessTokenSecret.New().Reveal()}";

    /// <summary>What was asked, in order.</summary>
    public IReadOnlyList<Uri> Asked
    {
        get
        {
            lock (_lock)
            {
                return [.. _asked];
            }
        }
    }

    public RippleAdminClient Client() => new(ConnectionString.Parse(ConnectionText), new RippleAdminOptions { RetryCount = 1 }, this);

    /// <summary>The next wait that is asked for is this one; with a text it is refused for the moment.</summary>
    public FakeWait AddWait(string? busyText = null)
    {
        var wait = new FakeWait { BusyText = busyText };
        lock (_lock)
        {
            _waits.Enqueue(wait);
        }

        return wait;
    }

    public void SetNodes(params IReadOnlyList<NodeInfo> nodes)
    {
        lock (_lock)
        {
            _nodes = nodes;
        }
    }

    /// <summary>The newest release, and how many nodes are there.</summary>
    public void SetFrontier(ulong release, int nodeCount)
    {
        lock (_lock)
        {
            _frontier = new Frontier("orders", 1, release, nodeCount, 0, [], [], [], 0);
        }
    }

    public static NodeInfo Node(
        string name, ulong applied, ulong received = 0, ulong persisted = 0, ulong rejected = 0, string reason = "") => new()
        {
            NodeId = name.PadLeft(32, '0'),
            Name = name,
            Zone = "eu-1",
            Incarnation = 1,
            State = NodeState.Present,
            Received = Math.Max(received, applied),
            Persisted = persisted,
            Applied = applied,
            DirectApplied = applied,
            Rejected = rejected,
            Reason = reason,
        };

    protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Uri uri = request.RequestUri!;
        lock (_lock)
        {
            _asked.Add(uri);
            if (uri.AbsolutePath.EndsWith("/waits", StringComparison.Ordinal))
            {
                return Task.FromResult(_waits.TryDequeue(out FakeWait? wait) ? wait.Response() : Refuse(
                    HttpStatusCode.NotFound, ProblemCodes.NotFound, "There is no such release."));
            }

            if (_frontier is not null && uri.AbsolutePath.EndsWith("/frontier", StringComparison.Ordinal))
            {
                return Task.FromResult(Answer(_frontier, AdminJson.Default.Frontier));
            }

            return Task.FromResult(
                uri.AbsolutePath.EndsWith("/nodes", StringComparison.Ordinal)
                    ? Answer(Page(uri), AdminJson.Default.PageNodeInfo)
                    : Refuse(HttpStatusCode.NotFound, ProblemCodes.NotFound, $"There is no {uri.AbsolutePath}."));
        }
    }

    /// <summary>Two nodes a page, so that paging is met.</summary>
    private Page<NodeInfo> Page(Uri uri)
    {
        Dictionary<string, string> query = uri.Query.TrimStart('?').Split('&').Select(p => p.Split('=')).ToDictionary(
            p => p[0], p => Uri.UnescapeDataString(p[1]), StringComparer.Ordinal);
        NodeInfo[] all = [.. _nodes.Where(
            n => !query.TryGetValue("behind", out string? behind) || n.Applied < ulong.Parse(behind, CultureInfo.InvariantCulture))];
        int from = query.TryGetValue("cursor", out string? cursor) ? int.Parse(cursor, CultureInfo.InvariantCulture) : 0;
        return new Page<NodeInfo>(
            [.. all.Skip(from).Take(2)], from + 2 < all.Length ? (from + 2).ToString(CultureInfo.InvariantCulture) : null);
    }

    private static HttpResponseMessage Answer<T>(T value, JsonTypeInfo<T> type) =>
        new(HttpStatusCode.OK) { Content = JsonContent.Create(value, type) };

    private static HttpResponseMessage Refuse(HttpStatusCode status, string code, string detail) => new(status)
    {
        Content = new StringContent(
            JsonSerializer.Serialize(new Problem { Code = code, Title = "Refused", Detail = detail }, AdminJson.Default.Problem),
            Encoding.UTF8,
            "application/problem+json"),
    };

    /// <summary>A wait under way: server-sent events as a test tells them.</summary>
    internal sealed class FakeWait
    {
        private readonly Pipe _pipe = new();

        /// <summary>Null for a wait that begins; else why it is refused for the moment.</summary>
        public string? BusyText { get; init; }

        public void Progress(int holding, int total, uint generation = 0) => Event(
            AdminRoutes.ProgressEvent,
            JsonSerializer.Serialize(new WaitProgress(holding, total) { Generation = generation }, AdminJson.Default.WaitProgress));

        public void End(WaitResult result)
        {
            Event(AdminRoutes.ResultEvent, JsonSerializer.Serialize(result, AdminJson.Default.WaitResult));
            _pipe.Writer.Complete();
        }

        /// <summary>The connection breaks.</summary>
        public void Break() => _pipe.Writer.Complete(new IOException("broken"));

        public HttpResponseMessage Response()
        {
            if (BusyText is not null)
            {
                return Refuse(HttpStatusCode.ServiceUnavailable, ProblemCodes.Busy, BusyText);
            }

            var response = new HttpResponseMessage(HttpStatusCode.OK) { Content = new StreamContent(_pipe.Reader.AsStream()) };
            response.Content.Headers.ContentType = new("text/event-stream");
            return response;
        }

        private void Event(string name, string data) =>
            _pipe.Writer.WriteAsync(Encoding.UTF8.GetBytes($"event: {name}\ndata: {data}\n\n")).AsTask().GetAwaiter().GetResult();
    }
}
