using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.PowerShell.Tests.Engine;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>The cmdlets that read.</summary>
public sealed class GetTests : CmdletTest
{
    public GetTests()
    {
        Cluster.Add("orders", Node("web-1", 1), Node("web-2", 2, rejected: 3, reason: "'max' is missing"), Node("db", 3))
            .Add("orders-test")
            .Add("stock");
        Cluster.Publish("orders", "pay/a.json", "{}");
        Cluster.Publish("orders", "pay/b", "\u00fc");
        Cluster.Publish("orders", "c", "3");
    }

    [Fact]
    public void Config_reads_every_key_at_one_release()
    {
        Pipeline.Run<GetRippleConfigCommand>(null, new { Application = "orders" });

        Assert.Equal(
            [("c", "3", 3UL), ("pay/a.json", "{}", 3UL), ("pay/b", "\u00fc", 3UL)],
            Pipeline.Objects<RippleConfigValue>().Select(v => (v.Key, (string)v.Value, v.Release)));
        Assert.All(
            Cluster.Asked.Where(a => a.Contains("/keys", StringComparison.Ordinal) || a.Contains("/value", StringComparison.Ordinal)),
            a => Assert.Contains("release=3", a, StringComparison.Ordinal));
    }

    [Fact]
    public void Config_takes_wildcards_without_case_and_names_with_it()
    {
        Pipeline.Run<GetRippleConfigCommand>(null, new { Application = "orders", Key = new[] { "PAY/*", "C" } });

        Assert.Equal(["pay/a.json", "pay/b"], Pipeline.Objects<RippleConfigValue>().Select(v => v.Key));
        Assert.Equal(
            ("Ripple.not_found", (object)"C"), (Pipeline.Errors.Single().FullyQualifiedErrorId, Pipeline.Errors.Single().TargetObject));
    }

    [Fact]
    public void Config_of_a_past_release_is_that_of_then()
    {
        Pipeline.Run<GetRippleConfigCommand>(null, new { Application = "orders", Release = 1UL });

        Assert.Equal(["pay/a.json"], Pipeline.Objects<RippleConfigValue>().Select(v => v.Key));
    }

    [Fact]
    public void Config_that_is_read_can_be_published_as_it_is()
    {
        RippleConfigValue[] values =
            [.. Pipeline.Run<GetRippleConfigCommand>(null, new { Application = "orders" }).Objects<RippleConfigValue>()];

        new TestPipeline().Run<PublishRippleReleaseCommand>(
            null, null, [.. values.Select(v => new { Application = "stock", v.Key, v.Value })]);

        Assert.Equal(
            ("{}", "\u00fc", "3", 1UL),
            (Cluster.Text("stock", "pay/a.json"), Cluster.Text("stock", "pay/b"), Cluster.Text("stock", "c"), Cluster.Newest("stock")));
    }

    [Fact]
    public void Bytes_that_are_no_text_stay_bytes()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(
            null, new { Application = "stock", Key = "b", Value = (object)new byte[] { 0xFF, 0 } });

        Assert.Equal(
            [0xFF, 0],
            (byte[])Pipeline.Run<GetRippleConfigCommand>(null, new { Application = "stock" }).Objects<RippleConfigValue>().Single().Value);
    }

    [Fact]
    public void Applications_take_wildcards_and_a_name_that_is_not_there_is_one_error()
    {
        Pipeline.Run<GetRippleNodeCommand>(null, new { Application = new[] { "nowhere", "order*" } });

        Assert.Equal(["web-1", "web-2", "db"], Pipeline.Objects<RippleNode>().Select(n => n.Name));
        Assert.Equal(["Ripple.unknown_application"], Pipeline.ErrorIds);
    }

    [Fact]
    public void Nodes_that_are_behind_a_release_come_through_the_pipeline()
    {
        Pipeline.Run<GetRippleNodeCommand>(null, null, new { Application = "orders", Release = 3UL });

        Assert.Equal(
            [("web-1", 1UL, null, ""), ("web-2", 2UL, 3UL, "'max' is missing")],
            Pipeline.Objects<RippleNode>().Select(n => (n.Name, n.Applied, n.Rejected, n.Reason)));
    }

    [Fact]
    public void Nodes_are_named_by_wildcards()
    {
        Pipeline.Run<GetRippleNodeCommand>(null, new { Application = "orders", Name = new[] { "WEB-*", "gone" } });

        Assert.Equal(["web-1", "web-2"], Pipeline.Objects<RippleNode>().Select(n => n.Name));
        Assert.Equal(["Ripple.not_found"], Pipeline.ErrorIds);
    }

    [Fact]
    public void Node_states_are_asked_of_the_host()
    {
        Pipeline.Run<GetRippleNodeCommand>(null, new { Application = "orders", State = "Silent", IncludeGone = true });

        Assert.Contains("GET /v1/applications/orders/nodes?state=silent&gone=true&limit=200", Cluster.Asked);
    }

    [Fact]
    public void Releases_come_newest_first()
    {
        Pipeline.Run<GetRippleReleaseCommand>(null, new { Application = "orders" });

        Assert.Equal(
            [(3UL, "c"), (2UL, "pay/b"), (1UL, "pay/a.json")], Pipeline.Objects<RippleRelease>().Select(r => (r.Release, r.Set.Single())));
        Assert.All(Pipeline.Objects<RippleRelease>(), r => Assert.Equal("orders", r.Application));
    }

    [Fact]
    public void A_release_that_is_not_there_is_one_error_among_those_that_are()
    {
        Pipeline.Run<GetRippleReleaseCommand>(null, new { Application = "orders", Release = new[] { 1UL, 99UL, 3UL } });

        Assert.Equal([1UL, 3UL], Pipeline.Objects<RippleRelease>().Select(r => r.Release));
        Assert.Equal(
            ("Ripple.not_found", (object)99UL), (Pipeline.Errors.Single().FullyQualifiedErrorId, Pipeline.Errors.Single().TargetObject));
    }

    [Fact]
    public void Reading_ends_when_the_pipeline_has_enough()
    {
        Pipeline = new TestPipeline { EnoughObjects = 1 };

        Assert.Throws<TestPipeline.EnoughException>(() => Pipeline.Run<GetRippleReleaseCommand>(null, new { Application = "orders" }));

        Assert.Equal(3UL, Assert.Single(Pipeline.Objects<RippleRelease>()).Release);
    }

    [Fact]
    public void Without_a_connection_it_says_what_to_do()
    {
        RippleSession.Use(null);

        Pipeline.Run<GetRippleReleaseCommand>(null, new { Application = "orders" });

        Assert.Equal(["Ripple.not_connected"], Pipeline.ErrorIds);
        Assert.Contains("Connect-Ripple", Pipeline.Errors[0].Exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Stopping_ends_what_is_under_way()
    {
        Pipeline = new TestPipeline();
        Cluster.OnRequest = _ => Pipeline.Stop();

        Assert.Throws<System.Management.Automation.PipelineStoppedException>(
            () => Pipeline.Run<GetRippleReleaseCommand>(null, new { Application = "orders" }));
    }

    [Fact]
    public void A_failure_of_a_host_is_one_error()
    {
        Cluster.OnRequest = _ => throw new HttpRequestException(HttpRequestError.ConnectionError, "refused");

        Pipeline.Run<GetRippleNodeCommand>(null, null, new { Application = "orders" });

        Assert.Equal(["Ripple.unreachable"], Pipeline.ErrorIds);
        Assert.DoesNotContain(Pipeline.Errors, e => e.Exception.Message.Contains("Token", StringComparison.Ordinal));
    }

    [Fact]
    public void A_key_with_wildcards_in_its_name_is_read_by_it()
    {
        Cluster.Publish("orders", "u/[br]*", "x");
        Cluster.Publish("orders", "u/b", "y");

        foreach (string given in new[] { "u/`[br`]`*", "u/[br]*" })
        {
            Pipeline.Run<GetRippleConfigCommand>(null, new { Application = "orders", Key = new[] { given } });
        }

        Assert.Equal(["u/[br]*", "u/[br]*", "u/b"], Pipeline.Objects<RippleConfigValue>().Select(v => v.Key));
        Assert.Empty(Pipeline.Errors);
    }

    [Fact]
    public void A_malformed_wildcard_is_one_error()
    {
        Pipeline.Run<GetRippleConfigCommand>(
            null, null, new { Application = "orders", Key = "k/[1" }, new { Application = "orders", Key = "c" });
        Pipeline.Run<GetRippleNodeCommand>(null, new { Application = "orders", Name = "[" });
        Pipeline.Run<GetRippleReleaseCommand>(null, new { Application = "o[" });

        Assert.Equal(["Ripple.invalid_request", "Ripple.invalid_request", "Ripple.invalid_request"], Pipeline.ErrorIds);
        Assert.Equal("c", Assert.Single(Pipeline.Objects<RippleConfigValue>()).Key);
    }
}
