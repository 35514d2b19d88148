using System.Management.Automation;
using System.Reflection;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.PowerShell.Tests.Engine;
using Ripple.PowerShell.Tests.Module;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Which cluster a cmdlet talks to.</summary>
public sealed class ConnectionTests : CmdletTest
{
    private readonly FakeCluster _other = new FakeCluster().Add("orders");
    private readonly RippleConnection _toOther;

    public ConnectionTests()
    {
        Cluster.Add("orders");
        _toOther = Connection(_other, "0123456789abcdef0123456789abcdef");
    }

    [Fact]
    public void Every_cmdlet_but_the_one_that_connects_takes_a_connection() => Assert.Equal(
        ["Connect-Ripple"],
        BuiltModule.Cmdlets.Where(c => c.Value.GetProperty("Connection")?.PropertyType != typeof(RippleConnection)).Select(c => c.Key));

    [Fact]
    public void Null_is_no_connection_and_not_the_default_one() => Assert.All(
        BuiltModule.Cmdlets.Values.Select(c => c.GetProperty("Connection")).OfType<PropertyInfo>(),
        p => Assert.True(p.IsDefined(typeof(ValidateNotNullAttribute))));

    [Fact]
    public void The_connection_that_is_given_is_used_and_the_question_names_its_cluster()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(
            null, new { Application = "orders", Key = "a", Value = "1", Connection = _toOther, Wait = true });

        Assert.Equal(("1", null), (_other.Text("orders", "a"), Cluster.Text("orders", "a")));
        Assert.StartsWith(
            "Publish to orders on cluster 01234567 (host1), expecting release 0: ",
            Assert.Single(Pipeline.Questions).Description,
            StringComparison.Ordinal);
        Assert.Empty(Cluster.Asked);
    }

    [Fact]
    public void What_is_confirmed_for_one_cluster_is_not_published_to_another()
    {
        Pipeline = new TestPipeline { OnQuestion = () => RippleSession.Use(_toOther) };

        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Key = "a", Value = "1", Wait = true });
        Pipeline.Run<UndoRippleReleaseCommand>("Release", new { Application = "orders", Release = 1UL, Connection = _toOther });

        Assert.Equal(("1", null), (Cluster.Text("orders", "a"), _other.Text("orders", "a")));
        Assert.DoesNotContain(_other.Asked, a => a.Contains("waits", StringComparison.Ordinal));
    }
}
