using System.Management.Automation;
using System.Text.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Tests;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Tests.Engine;
using Ripple.Trust;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Wait-RippleRelease.</summary>
public sealed class WaitTests : CmdletTest
{
    public WaitTests()
    {
        Cluster.Add("orders", Node("web-1", 0), Node("web-2", 0, rejected: 1, reason: "'max' is missing"));
        Cluster.Publish("orders", "a", "1");
    }

    [Fact]
    public void Result_is_written_when_it_holds()
    {
        Pipeline.Run<WaitRippleReleaseCommand>(null, null, new { Application = "orders", Release = 1UL });

        RippleWaitResult result = Assert.Single(Pipeline.Objects<RippleWaitResult>());
        Assert.Equal(
            (WaitOutcome.Held, 2, 2, "orders", 1UL), (result.Outcome, result.Holding, result.Total, result.Application, result.Release));
        Assert.Empty(Pipeline.Errors);
    }

    [Fact]
    public void Progress_fills_as_nodes_acknowledge_and_names_who_refuses()
    {
        var wait = new FakeHost.FakeWait();
        Cluster.Wait = wait.Response;
        Pipeline = new TestPipeline
        {
            OnProgress = record =>
            {
                // Each next step is told when the one before was shown.
                if (record.StatusDescription.StartsWith("0 of 2", StringComparison.Ordinal))
                {
                    wait.Progress(1, 2);
                }
                else if (record.PercentComplete == 50 && record.RecordType == ProgressRecordType.Processing)
                {
                    wait.End(new WaitResult(WaitOutcome.Held, "", 2, [], []));
                }
            },
        };
        wait.Progress(0, 2);

        Pipeline.Run<WaitRippleReleaseCommand>(null, new { Application = "orders", Release = 1UL });

        Assert.Equal([0, 50, 100], Pipeline.Progress.Select(p => p.PercentComplete).Distinct());
        Assert.Equal(
            "0 of 2 nodes; rejected by web-2; waiting for web-1",
            Pipeline.Progress.First(p => p.StatusDescription.StartsWith("0 of 2", StringComparison.Ordinal)).StatusDescription);
        Assert.Single(Pipeline.Progress.Select(p => p.ActivityId).Distinct());
    }

    [Theory]
    [InlineData(WaitOutcome.TimedOut, "Ripple.timed_out", ErrorCategory.OperationTimeout)]
    [InlineData(WaitOutcome.CannotHold, "Ripple.cannot_hold", ErrorCategory.InvalidOperation)]
    public void A_wait_that_does_not_hold_is_an_error_that_names_who_kept_it(WaitOutcome outcome, string id, ErrorCategory category)
    {
        var ended = new WaitResult(outcome, "", 2, [new WaitMember("1", "web-2", 0, "'max' is missing")], []);
        Cluster.Wait = () => FakeCluster.Events((AdminRoutes.ResultEvent, JsonSerializer.Serialize(ended, AdminJson.Default.WaitResult)));

        Pipeline.Run<WaitRippleReleaseCommand>(null, new { Application = "orders", Release = 1UL });

        Assert.Equal((id, category), (Pipeline.Errors.Single().FullyQualifiedErrorId, Pipeline.Errors[0].Category));
        Assert.Contains("web-2 is at 0 ('max' is missing)", Pipeline.Errors[0].Exception.Message, StringComparison.Ordinal);
        Assert.Equal(outcome, Assert.Single(Pipeline.Objects<RippleWaitResult>()).Outcome);
    }

    [Fact]
    public void A_members_words_cannot_write_to_the_terminal()
    {
        var ended = new WaitResult(WaitOutcome.CannotHold, "", 2, [new WaitMember("1", "web-2", 0, "\u001b]0;owned\a\u202Edcba")], []);
        Cluster.Wait = () => FakeCluster.Events((AdminRoutes.ResultEvent, JsonSerializer.Serialize(ended, AdminJson.Default.WaitResult)));

        Pipeline.Run<WaitRippleReleaseCommand>(null, new { Application = "orders", Release = 1UL });

        ErrorRecord error = Pipeline.Errors.Single();
        Assert.Contains(@"\u001B]0;owned\u0007\u202Edcba", error.ErrorDetails!.Message, StringComparison.Ordinal);
        Assert.Null(ShownText.FindHidden(error.ErrorDetails.Message, allowsLines: true));
    }

    [Fact]
    public void Ctrl_C_ends_the_wait()
    {
        var wait = new FakeHost.FakeWait();
        Cluster.Wait = wait.Response;
        TestPipeline? pipeline = null;
        pipeline = new TestPipeline { OnProgress = _ => Task.Run(() => pipeline!.Stop()) };
        wait.Progress(0, 2);

        Assert.Throws<PipelineStoppedException>(
            () => pipeline.Run<WaitRippleReleaseCommand>(null, new { Application = "orders", Release = 1UL }));

        Assert.Empty(pipeline.Errors);
    }

    [Fact]
    public void Level_and_predicate_and_timeout_reach_the_host()
    {
        Pipeline.Run<WaitRippleReleaseCommand>(null, new { Application = "orders", Release = 1UL, Level = "Received", TimeoutSeconds = 7 });
        Pipeline.Run<WaitRippleReleaseCommand>(null, new { Application = "orders", Release = 1UL, Predicate = "MAX(applied)" });

        Uri[] waits = [.. Cluster.Asked.Where(a => a.Contains("/waits", StringComparison.Ordinal)).Select(
            a => new Uri("https://h" + a["GET ".Length..]))];
        Assert.Contains($"predicate={Uri.EscapeDataString("MIN($ALL.received)")}", waits[0].Query, StringComparison.Ordinal);
        Assert.Matches("timeoutSeconds=[67]", waits[0].Query);
        Assert.Contains($"predicate={Uri.EscapeDataString("MAX(applied)")}", waits[1].Query, StringComparison.Ordinal);
    }
}
