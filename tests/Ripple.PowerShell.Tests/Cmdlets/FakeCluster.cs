using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin.Contracts;
using RegionInfo = Ripple.Admin.Contracts.RegionInfo;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>
/// A cluster in memory behind the admin API's paths: applications, their releases as whole states, and nodes that a test sets. Any thread.
/// </summary>
internal sealed class FakeCluster : HttpMessageHandler
{
    private readonly Lock _lock = new();
    private readonly SortedDictionary<string, List<State>> _applications = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, List<NodeInfo>> _nodes = new(StringComparer.Ordinal);
    private readonly List<string> _asked = [];
    private RegionInfo[] _regions = [];

    /// <summary>Its tokens, roles and audit.</summary>
    public FakeRights Rights { get; } = new();

    /// <summary>The generation of every application; another one after a restore.</summary>
    public uint Generation { get; set; } = 1;

    /// <summary>The wait that is asked for next; null: it is held at once.</summary>
    public Func<HttpResponseMessage>? Wait { get; set; }

    /// <summary>Told before each answer; may throw.</summary>
    public Action<HttpRequestMessage>? OnRequest { get; set; }

    /// <summary>Answers what a test knows, before all else; null for what it does not know.</summary>
    public Func<HttpRequestMessage, byte[], HttpResponseMessage?>? Other { get; set; }

    /// <summary>Requests as method, path and query, in order.</summary>
    public IReadOnlyList<string> Asked
    {
        get
        {
            lock (_lock)
            {
                return [.. _asked];
            }
        }
    }

    public FakeCluster Add(string application, params NodeInfo[] nodes)
    {
        lock (_lock)
        {
            _applications.Add(application, [new State([], "host", "", [])]);
            _nodes.Add(application, [.. nodes]);
        }

        return this;
    }

    public void SetRegions(params RegionInfo[] regions)
    {
        lock (_lock)
        {
            _regions = regions;
        }
    }

    /// <summary>Publishes one text, as another administrator would.</summary>
    public ulong Publish(string application, string key, string text)
    {
        lock (_lock)
        {
            return Change(application, new PublishRequest { Set = [new KeyValue { Key = key, Text = text }] });
        }
    }

    public string? Text(string application, string key)
    {
        lock (_lock)
        {
            return _applications[application][^1].Values.TryGetValue(key, out byte[]? bytes) ? Encoding.UTF8.GetString(bytes) : null;
        }
    }

    public ulong Newest(string application)
    {
        lock (_lock)
        {
            return (ulong)_applications[application].Count - 1;
        }
    }

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        OnRequest?.Invoke(request);
        byte[] body = request.Content is null ? [] : await request.Content.ReadAsByteArrayAsync(cancellationToken);
        lock (_lock)
        {
            _asked.Add($"{request.Method} {request.RequestUri!.PathAndQuery}");
            try
            {
                return Other?.Invoke(request, body) ?? Answer(request, body);
            }
            catch (RefusedException e)
            {
                return new HttpResponseMessage(HttpStatusCode.BadRequest)
                {
                    Content = JsonContent.Create(new Problem
                    {
                        Code = e.Code,
                        Title = "Refused",
                        Detail = e.Message,
                    }, AdminJson.Default.Problem, new("application/problem+json")),
                };
            }
        }
    }

    private HttpResponseMessage Answer(HttpRequestMessage request, byte[] body)
    {
        string[] path = [.. request.RequestUri!.AbsolutePath.Split('/', 5)[2..].Select(Uri.UnescapeDataString)];
        if (path[0] == "whoami")
        {
            return Ok(new Identity("t1", "test", "token:test", [new RoleGrant("t1", "*", Role.Admin)]), AdminJson.Default.Identity);
        }

        if (path[0] == "cluster")
        {
            return Ok(new ClusterInfo("c1", "host1", "0.1.0", _applications.Count), AdminJson.Default.ClusterInfo);
        }

        if (path[0] is "tokens" or "roles" or "audit")
        {
            return Rights.Answer(request, path, body);
        }

        if (path[0] == "regions")
        {
            return path.Length == 1
                ? Ok(new Page<RegionInfo>([.. _regions.Select(r => r with { Parts = null })], null), AdminJson.Default.PageRegionInfo)
                : Ok(
                    _regions.SingleOrDefault(r => r.Name.StartsWith(path[1], StringComparison.Ordinal))
                        ?? throw new RefusedException(ProblemCodes.NotFound, $"There is no region '{path[1]}'."),
                    AdminJson.Default.RegionInfo);
        }

        if (path.Length == 1 && request.Method == HttpMethod.Post)
        {
            string created = JsonSerializer.Deserialize(body, AdminJson.Default.CreateApplicationRequest)!.Name;
            if (!_applications.TryAdd(created, [new State([], "host", "", [])]))
            {
                throw new RefusedException(ProblemCodes.AlreadyExists, $"There is an application '{created}'.");
            }

            _nodes.Add(created, []);
            return Ok(Info(created), AdminJson.Default.ApplicationInfo);
        }

        if (path.Length == 1)
        {
            return Ok(new Page<ApplicationInfo>([.. _applications.Keys.Select(Info)], null), AdminJson.Default.PageApplicationInfo);
        }

        string name = path[1];
        if (!_applications.TryGetValue(name, out List<State>? states))
        {
            throw new RefusedException(ProblemCodes.UnknownApplication, $"There is no application '{name}'.");
        }

        string rest = path.Length > 2 ? path[2] : string.Empty;
        return rest switch
        {
            "" => Ok(Info(name), AdminJson.Default.ApplicationInfo),
            "keys" => Ok(new Page<KeyInfo>(
                [.. At(name, request).Values.Where(v => v.Key.StartsWith(Query(request, "prefix") ?? "", StringComparison.Ordinal)).Select(
                v => Key(v.Key, v.Value))], null), AdminJson.Default.PageKeyInfo),
            "value" => Content(name, request, Query(request, "key")!),
            "nodes" => Ok(
                new Page<NodeInfo>([.. _nodes[name].Where(n => Query(request, "behind") is not { } b || n.Applied < Number(b))], null),
                AdminJson.Default.PageNodeInfo),
            "diff" => Ok(Difference(name, Number(Query(request, "from")!), Query(request, "to")), AdminJson.Default.Diff),
            "waits" => Wait?.Invoke() ?? Held(name),
            "rollback" => Changed(request, name, Rollback(name, JsonSerializer.Deserialize(body, AdminJson.Default.RollbackRequest)!)),
            "releases" when request.Method == HttpMethod.Post =>
                Changed(request, name, JsonSerializer.Deserialize(body, AdminJson.Default.PublishRequest)!),
            "releases" => Ok(
                new Page<ReleaseInfo>([.. Enumerable.Range(1, states.Count - 1).Reverse().Select(i => Release(name, i))], null),
                AdminJson.Default.PageReleaseInfo),
            _ => Number(rest["releases/".Length..]) is var r && r > 0 && r < (ulong)states.Count
                ? Ok(Release(name, (int)r), AdminJson.Default.ReleaseInfo)
                : throw new RefusedException(ProblemCodes.NotFound, $"There is no release {r}."),
        };
    }

    private Diff Difference(string name, ulong from, string? to)
    {
        ulong later = to is null ? Newest(name) : Number(to);
        SortedDictionary<string, byte[]> before = _applications[name][(int)from].Values;
        SortedDictionary<string, byte[]> after = _applications[name][(int)later].Values;
        return new Diff(
            name,
            from,
            later,
            [
                .. before.Keys.Union(after.Keys).Order(StringComparer.Ordinal).Where(
                    k => !before.TryGetValue(k, out byte[]? b) || !after.TryGetValue(k, out byte[]? a) || !b.SequenceEqual(a)).Select(
                    k => new KeyChangeInfo(
                        k,
                        !before.ContainsKey(k) ? KeyChangeKind.Added : after.ContainsKey(k) ? KeyChangeKind.Changed : KeyChangeKind.Removed,
                        before.TryGetValue(k, out byte[]? old) ? Key(k, old) : null,
                        after.TryGetValue(k, out byte[]? now) ? Key(k, now) : null)),
            ]);
    }

    private HttpResponseMessage Changed(HttpRequestMessage request, string name, PublishRequest change)
    {
        if (request.Headers.IfMatch.FirstOrDefault() is { } tag
            && (!ReleaseNumber.TryParse(tag.Tag.Trim('"'), out ReleaseNumber expected)
                || expected.Release != Newest(name)
                || (expected.Generation is { } generation && generation != Generation)))
        {
            throw new RefusedException(ProblemCodes.WrongExpectedRelease, $"The newest release is {Newest(name)}.");
        }

        if (Query(request, "dryRun") == "true")
        {
            SortedDictionary<string, byte[]> now = _applications[name][^1].Values;
            KeyChangeInfo[] changes =
            [
                .. change.Set.Select(
                    s => new KeyChangeInfo(s.Key, now.ContainsKey(s.Key) ? KeyChangeKind.Changed : KeyChangeKind.Added, null, null)),
                .. change.Remove.Select(k => new KeyChangeInfo(k, KeyChangeKind.Removed, null, null)),
            ];
            return Ok(
                new PublishPlan(name, Newest(name), changes, [.. _nodes[name].Select(n => new NodeName(n.NodeId, n.Name, n.Zone, name))])
                {
                    BaseGeneration = Newest(name) > 0 ? Generation : null,
                },
                AdminJson.Default.PublishPlan);
        }

        ulong release = Change(name, change);
        return Ok(
            new PublishResult(
                name, 1, release, new string('b', 40), Guid.Parse(request.Headers.GetValues(AdminRoutes.IdempotencyKeyHeader).Single())),
            AdminJson.Default.PublishResult);
    }

    private ulong Change(string name, PublishRequest change)
    {
        var values = new SortedDictionary<string, byte[]>(_applications[name][^1].Values, StringComparer.Ordinal);
        foreach (KeyValue set in change.Set)
        {
            values[set.Key] = set.Bytes ?? Encoding.UTF8.GetBytes(set.Text!);
        }

        foreach (string key in change.Remove)
        {
            values.Remove(key);
        }

        KeyChangeInfo[] changes =
        [
            .. change.Set.Select(s => new KeyChangeInfo(s.Key, KeyChangeKind.Set, null, null)),
            .. change.Remove.Select(k => new KeyChangeInfo(k, KeyChangeKind.Removed, null, null)),
        ];
        _applications[name].Add(new State(values, "token:test", change.Note, changes));
        return Newest(name);
    }

    private PublishRequest Rollback(string name, RollbackRequest request)
    {
        SortedDictionary<string, byte[]> to = _applications[name][(int)request.ToRelease].Values;
        return new PublishRequest
        {
            Set = [.. to.Select(v => new KeyValue { Key = v.Key, Bytes = v.Value })],
            Remove = [.. _applications[name][^1].Values.Keys.Except(to.Keys)],
            Note = request.Note,
        };
    }

    private HttpResponseMessage Content(string name, HttpRequestMessage request, string key)
    {
        byte[] bytes = At(name, request).Values.TryGetValue(key, out byte[]? value)
            ? value
            : throw new RefusedException(ProblemCodes.NotFound, $"There is no key '{key}'.");
        HttpResponseMessage response = new(HttpStatusCode.OK) { Content = new ByteArrayContent(bytes) };
        response.Headers.Add(AdminRoutes.ReleaseHeader, Query(request, "release") ?? $"{Newest(name)}");
        response.Headers.Add(AdminRoutes.GenerationHeader, "1");
        return response;
    }

    private HttpResponseMessage Held(string name)
    {
        int count = _nodes[name].Count;
        return Events(
            (AdminRoutes.ProgressEvent, JsonSerializer.Serialize(new WaitProgress(count, count), AdminJson.Default.WaitProgress)),
            (AdminRoutes.ResultEvent, JsonSerializer.Serialize(
                new WaitResult(WaitOutcome.Held, "", count, [], []), AdminJson.Default.WaitResult)));
    }

    public static HttpResponseMessage Events(params (string Name, string Data)[] events)
    {
        var content = new StringContent(string.Concat(events.Select(e => $"event: {e.Name}\ndata: {e.Data}\n\n")));
        content.Headers.ContentType = new("text/event-stream");
        return new HttpResponseMessage(HttpStatusCode.OK) { Content = content };
    }

    private State At(string name, HttpRequestMessage request) =>
        _applications[name][(int)(Query(request, "release") is { } release ? Number(release) : Newest(name))];

    private ReleaseInfo Release(string name, int number)
    {
        State state = _applications[name][number];
        return new ReleaseInfo
        {
            Release = (ulong)number,
            Generation = 1,
            Id = new string('b', 40),
            PreviousId = new string('a', 40),
            Time = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            Actor = state.Actor,
            Note = state.Note,
            PublishId = Guid.Empty,
            Changes = state.Changes,
        };
    }

    private ApplicationInfo Info(string name) => new(name, 1, Newest(name), _applications[name][^1].Values.Count, _nodes[name].Count);

    private static KeyInfo Key(string key, byte[] value) =>
        new(key, value.Length, Convert.ToHexStringLower(SHA256.HashData(value))[..40], key.EndsWith(".json", StringComparison.Ordinal));

    private static string? Query(HttpRequestMessage request, string name) =>
        request.RequestUri!.Query.TrimStart('?').Split('&').Select(p => p.Split('=')).Where(p => p[0] == name).Select(
            p => Uri.UnescapeDataString(p[1])).FirstOrDefault();

    private static ulong Number(string text) => ulong.Parse(text, CultureInfo.InvariantCulture);

    public static HttpResponseMessage Ok<T>(T value, JsonTypeInfo<T> type) =>
        new(HttpStatusCode.OK) { Content = JsonContent.Create(value, type) };

    private sealed record State(SortedDictionary<string, byte[]> Values, string Actor, string Note, IReadOnlyList<KeyChangeInfo> Changes);

    private sealed class RefusedException(string code, string detail) : Exception(detail)
    {
        public string Code { get; } = code;
    }
}
