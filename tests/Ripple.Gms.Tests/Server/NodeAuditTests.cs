using Ripple.Engine.Regions;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>Enrolments and expulsions come to the audit in few lines.</summary>
public sealed class NodeAuditTests : IDisposable
{
    private readonly TempDirectory _directory = new();
    private readonly NodeAudit _audit = new(SystemWallClock.Instance, "host-1");

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_crowd_is_one_line_for_each_token_that_names_as_many_as_fit()
    {
        for (int i = 0; i < 10_000; i++)
        {
            _audit.OnEnrolled(Identity("t1", "shop"), $"web-{i}");
        }

        NodeIdentity alone = Identity("t2", "shop");
        _audit.OnEnrolled(alone, "db-1");

        IReadOnlyList<AuditEntry> lines = _audit.Take();
        Assert.Equal(["token:t1", "token:t2"], lines.Select(l => l.Actor));
        Assert.All(lines, l => Assert.Equal(("node.enrol", "shop"), (l.Action, l.Application)));
        Assert.StartsWith("10000 nodes: web-0 (", lines[0].Detail, StringComparison.Ordinal);
        Assert.Matches(" and 99[0-9]{2} more$", lines[0].Detail);
        Assert.Equal($"db-1 ({alone.NodeId})", lines[1].Detail);
        Assert.Null(new CommitBatch { Audit = lines }.Check());
        Assert.Empty(_audit.Take());
    }

    [Fact]
    public void Many_tokens_share_a_line_when_all_lines_are_taken()
    {
        for (int i = 0; i < 1_000; i++)
        {
            _audit.OnEnrolled(Identity($"t{i}", "shop"), "web");
            _audit.OnExpelled(new NodeId(1, (ulong)i), "web", "shop", "the node was revoked");
        }

        IReadOnlyList<AuditEntry> lines = _audit.Take();
        Assert.InRange(lines.Count, NodeAudit.LinesMax, NodeAudit.LinesMax + 2);
        Assert.Contains(lines, l => l is { Action: "node.enrol", Actor: "host:host-1", Application: null });
        AuditEntry expelled = Assert.Single(lines, l => l.Action == "node.expel");
        Assert.StartsWith("1000 nodes: web (", expelled.Detail, StringComparison.Ordinal);
        Assert.EndsWith(" more: the node was revoked", expelled.Detail, StringComparison.Ordinal);
        Assert.Null(new CommitBatch { Audit = lines }.Check());
    }

    [Fact]
    public async Task A_host_writes_who_enrolled_and_who_was_expelled_at_the_latest_when_it_stops()
    {
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            await using RealNode node = await RealNode.StartAsync(
                host.Client, ClusterAuthority.Load(host.Server.Directory.Authority).Trust);
            await node.Joined.Task.WaitAsync(TimeSpan.FromMinutes(2), HostHarness.Cancel);
            await host.RevokeAsync(host.Client);
            await Endpoint.ControlHarness.UntilAsync(
                () => host.Logs.Lines.Any(l => l.Id == (int)GmsEventKind.Expelled), "the expulsion was logged");
        }

        using var store = new SqliteHostStore(new GmsDirectory(_directory.Path).Store, new HostStoreOptions { IsHost = false });
        IReadOnlyList<AuditRecord> lines = await store.ReadAsync<IReadOnlyList<AuditRecord>>(
            done => store.ReadAudit("default", long.MaxValue, 100, done));
        Assert.Single(lines, l => l.Entry.Action == "node.enrol" && l.Entry.Actor.StartsWith("token:", StringComparison.Ordinal));
        Assert.Single(lines, l => l.Entry.Action == "node.expel" && l.Entry.Detail.Contains("is revoked", StringComparison.Ordinal));
    }

    private static NodeIdentity Identity(string token, string application) =>
        new(Id128.New(), Id128.New(), application, NodeRoles.Node, token);
}
