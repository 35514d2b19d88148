using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>Small tables for tests, and short words for what is done to them.</summary>
internal static class Tables
{
    public const string Application = "orders";

    /// <summary>Clients n1, n2 ... in zone "z", with these received, persisted and applied values.</summary>
    public static FrontierTable OfNodes(params ulong[] values)
    {
        FrontierTable table = new(Application, 1);
        for (int i = 0; i < values.Length; i++)
        {
            table.Report(Add(table, (ulong)i + 1, $"n{i + 1}"), 1, values[i], values[i], values[i], isDirect: false);
        }

        return table;
    }

    public static FrontierRow Add(
        FrontierTable table,
        ulong id,
        string name,
        string zone = "z",
        bool isHost = false,
        bool isReplica = false,
        string? hostName = null,
        params (string Key, string Value)[] labels)
    {
        Assert.True(table.TryAdd(Member(id, name, zone, isHost, isReplica, hostName, labels), out FrontierRow? row));
        return row;
    }

    public static FrontierMember Member(
        ulong id,
        string name,
        string zone = "z",
        bool isHost = false,
        bool isReplica = false,
        string? hostName = null,
        params (string Key, string Value)[] labels) => new()
        {
            Node = new NodeId(0, id),
            Incarnation = 1,
            Name = name,
            Zone = zone,
            IsHost = isHost,
            IsReplica = isReplica,
            HostName = hostName,
            Labels = [.. labels.Select(l => KeyValuePair.Create(l.Key, l.Value))],
        };

    public static Predicate Parse(string text) =>
        PredicateParser.TryParse(text, out Predicate? predicate, out PredicateError? error)
            ? predicate
            : throw new InvalidOperationException($"{text}: {error}");

    public static PredicateError ParseError(string text)
    {
        Assert.False(PredicateParser.TryParse(text, out _, out PredicateError? error));
        return error;
    }

    public static BoundPredicate Bind(FrontierTable table, string text, string? zone = null, bool countLeft = false)
    {
        BindingContext context = new() { Table = table, Zone = zone, CountLeft = countLeft };
        return Parse(text).TryBind(context, out BoundPredicate? bound, out PredicateError? error)
            ? bound
            : throw new InvalidOperationException($"{text}: {error}");
    }

    public static PredicateError BindError(FrontierTable table, string text, string? zone = null)
    {
        Assert.False(Parse(text).TryBind(new BindingContext { Table = table, Zone = zone }, out _, out PredicateError? error));
        return error;
    }

    public static ulong Evaluate(FrontierTable table, string text, string? zone = null) => Bind(table, text, zone).Evaluate();

    public static void Received(FrontierTable table, FrontierRow row, ulong release) =>
        table.Advance(row, table.Generation, FrontierLevels.Received, release, isDirect: false);

    public static void Applied(FrontierTable table, FrontierRow row, ulong release) =>
        table.Advance(row, table.Generation, FrontierLevels.Applied, release, isDirect: false);
}
