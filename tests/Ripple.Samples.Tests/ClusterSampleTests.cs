namespace Ripple.Samples.Tests;

/// <summary>The sample of several hosts keeps its promises; it checks what it claims, and its exit code says so.</summary>
public sealed class ClusterSampleTests
{
    [Fact]
    public async Task Three_hosts_lose_nothing_while_leaders_are_killed_and_stopped()
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(TimeSpan.FromMinutes(10));
        using var program = SampleProgram.Start("Cluster", []);

        int exitCode = await program.EndAsync(limit.Token);

        Assert.SkipWhen(program.Output.Contains("apt-get install postgresql", StringComparison.Ordinal), program.LastLine);
        Assert.True(exitCode == 0, program.Output);
        Assert.Equal("releases=4 nodes=40 lost=0 repeated=0", program.LastLine);
    }
}
