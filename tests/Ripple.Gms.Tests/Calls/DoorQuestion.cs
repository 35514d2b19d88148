using System.Globalization;
using System.Text.Json;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Tests.Api;
using Ripple.Gms.Tests.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>One question as both doors of a host are asked it: as a frame of a control connection, and as a request.</summary>
internal sealed record DoorQuestion
{
    private const string Applications = "/v1/applications";
    private readonly Func<ControlCaller, (ErrorCode Code, string Text)> _ask;
    private readonly string _target;
    private readonly string? _json;
    private readonly (string Name, string Value)[] _headers;

    private DoorQuestion(
        Func<ControlCaller, (ErrorCode Code, string Text)> ask,
        string target,
        string? json = null,
        params (string Name, string Value)[] headers)
    {
        _ask = ask;
        _target = target;
        _json = json;
        _headers = headers;
    }

    /// <summary>Who asks: one of the tokens that <see cref="CallRig"/> names.</summary>
    public string By { get; init; } = CallRig.Publisher;

    /// <summary>What the store does when it is asked; null when it just works.</summary>
    public Action<ScriptedStore>? Store { get; init; }

    /// <summary>True: whoever is to prepare publishes has too many.</summary>
    public bool IsPreparerFull { get; init; }

    public static DoorQuestion Publish(
        (string Key, string? Value)[] changes,
        string note = "",
        ulong expected = PublishBegin.AnyRelease,
        Guid? id = null,
        string application = CallRig.Shop) => new(
        caller =>
        {
            caller.BeginPublish(changes, true, id, expected, application, note);
            return Of(caller.Answer<PublishResult>());
        },
        $"{Applications}/{application}/releases",
        JsonSerializer.Serialize(new
        {
            set = changes.Where(c => c.Value is not null).Select(c => new { key = c.Key, text = c.Value }),
            remove = changes.Where(c => c.Value is null).Select(c => c.Key),
            note,
        }),
        Headers(expected, id));

    public static DoorQuestion Rollback(
        ulong toRelease,
        string note = "",
        ulong expected = PublishBegin.AnyRelease,
        Guid? id = null,
        string application = CallRig.Shop) => new(
        caller => Of(caller.Rollback(toRelease, id, expected, application, note)),
        $"{Applications}/{application}/rollback",
        JsonSerializer.Serialize(new { toRelease, note }),
        Headers(expected, id));

    public static DoorQuestion History(string application = CallRig.Shop) => new(
        caller =>
        {
            caller.Send(new History(caller.NextCall(), application, ulong.MaxValue, 50));
            HistoryResult answer = caller.Answer<HistoryResult>();
            return (answer.Code, answer.Text);
        },
        $"{Applications}/{application}/releases");

    /// <param name="key">The key.</param>
    /// <param name="release">The release; 0 for the newest, which a request says by leaving it out.</param>
    /// <param name="application">The application.</param>
    public static DoorQuestion Read(string key, ulong release = 0, string application = CallRig.Shop) => new(
        caller =>
        {
            caller.Send(new ReadKey(caller.NextCall(), application, release, key));
            ReadKeyResult answer = caller.Answer<ReadKeyResult>();
            return (answer.Code, answer.Text);
        },
        $"{Applications}/{application}/value?key={key}{(release == 0 ? "" : $"&release={Text(release)}")}");

    public static DoorQuestion Status(string application = CallRig.Shop) => new(
        caller =>
        {
            caller.Send(new Status(caller.NextCall(), application));
            StatusResult answer = caller.Answer<StatusResult>();
            return (answer.Code, answer.Text);
        },
        $"{Applications}/{application}/nodes");

    public static DoorQuestion Wait(ulong release, string predicate = "MIN($ALL.applied)", string application = CallRig.Shop) => new(
        caller =>
        {
            caller.Send(new Wait(caller.NextCall(), application, 0, release, predicate, 1_000, false));
            WaitResult answer = caller.Answer<WaitResult>();
            return (answer.Code, answer.Text);
        },
        $"{Applications}/{application}/waits?release={Text(release)}&predicate={Uri.EscapeDataString(predicate)}&timeoutSeconds=1");

    public static DoorQuestion Create(string name) => new(
        caller =>
        {
            caller.Send(new CreateApplication(caller.NextCall(), name));
            CallResult answer = caller.Answer<CallResult>();
            return (answer.Code, answer.Text);
        },
        Applications,
        JsonSerializer.Serialize(new { name }))
    {
        By = CallRig.Admin,
    };

    /// <summary>Asks at the control door.</summary>
    public (ErrorCode Code, string Text) Ask(CallRig host)
    {
        Store?.Invoke(host.Store);
        host.IsPreparerFull = IsPreparerFull;
        // Always the same node: publish ids are their actor's own.
        return _ask(host.Connect(By, node: 1));
    }

    /// <summary>Asks at the HTTP door.</summary>
    public Task<HttpAnswer> AskAsync(HttpRig host)
    {
        Store?.Invoke(host.Store);
        host.IsPreparerFull = IsPreparerFull;
        return host.SendAsync(host.TokenOf(By), _json is null ? "GET" : "POST", _target, _json, _headers);
    }

    private static (ErrorCode Code, string Text) Of(PublishResult answer) => (answer.Code, answer.Text);

    private static string Text(ulong number) => number.ToString(CultureInfo.InvariantCulture);

    private static (string Name, string Value)[] Headers(ulong expected, Guid? id)
    {
        var headers = new List<(string Name, string Value)>();
        if (expected != PublishBegin.AnyRelease)
        {
            headers.Add(("If-Match", $"\"{Text(expected)}\""));
        }

        if (id is { } given)
        {
            headers.Add((Admin.Contracts.AdminRoutes.IdempotencyKeyHeader, given.ToString()));
        }

        return [.. headers];
    }
}
