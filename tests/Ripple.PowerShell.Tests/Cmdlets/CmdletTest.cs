using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Tests;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.PowerShell.Tests.Engine;
using Ripple.Trust;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Cmdlets connected to a cluster in memory. The connection is the process's, so these tests take turns.</summary>
[Collection("connection")]
public abstract class CmdletTest : IDisposable
{
    private readonly RippleAdminClient _client;

    private protected CmdletTest()
    {
        _client = new RippleAdminClient(
            ConnectionString.Parse(FakeHost.ConnectionText), new RippleAdminOptions { RetryCount = 1 }, Cluster);
        RippleSession.Use(Connection(_client, "c1"));
    }

    private protected FakeCluster Cluster { get; } = new();

    private protected TestPipeline Pipeline { get; set; } = new();

    public void Dispose()
    {
        Dispose(isDisposing: true);
        RippleSession.Use(null);
        _client.Dispose();
        Cluster.Dispose();
    }

    /// <summary>A connection to a cluster of that id.</summary>
    private protected static RippleConnection Connection(RippleAdminClient client, string clusterId) =>
        new(client, new ClusterInfo(clusterId, "host1", "0.1.0", 0), new Identity("t1", "test", "token:test", []));

    /// <summary>A connection to another cluster in memory.</summary>
    private protected static RippleConnection Connection(FakeCluster cluster, string clusterId) => Connection(
        new RippleAdminClient(ConnectionString.Parse(FakeHost.ConnectionText), new RippleAdminOptions { RetryCount = 1 }, cluster),
        clusterId);

    private protected static NodeInfo Node(string name, ulong applied, ulong rejected = 0, string reason = "") =>
        FakeHost.Node(name, applied, rejected: rejected, reason: reason);

    /// <summary>How often something that changes was asked for: dry runs do not.</summary>
    private protected int ChangeCount =>
        Cluster.Asked.Count(a => a.StartsWith("POST", StringComparison.Ordinal) && !a.Contains("dryRun", StringComparison.Ordinal));

    /// <summary>Removes what a test made besides.</summary>
    protected virtual void Dispose(bool isDisposing)
    {
    }
}
