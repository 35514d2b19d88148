using System.Management.Automation;
using System.Reflection;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Tests.Engine;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Undo-RippleRelease.</summary>
public sealed class UndoTests : CmdletTest
{
    public UndoTests()
    {
        Cluster.Add("orders", Node("web-1", 0));
        Cluster.Publish("orders", "a", "1");
        Cluster.Publish("orders", "a", "2");
        Cluster.Publish("orders", "b", "3");
    }

    [Fact]
    public void The_newest_release_is_undone_through_the_pipeline()
    {
        Pipeline.Run<UndoRippleReleaseCommand>(
            "Release", new { PassThru = true, Note = "bad" }, new { Application = "orders", Release = 3UL });

        Assert.Equal(4UL, Assert.Single(Pipeline.Objects<RipplePublished>()).Release);
        Assert.Equal(("2", null), (Cluster.Text("orders", "a"), Cluster.Text("orders", "b")));
    }

    [Fact]
    public void A_release_that_is_not_the_newest_is_not_undone()
    {
        Pipeline.Run<UndoRippleReleaseCommand>("Release", new { Application = "orders", Release = 2UL });

        Assert.Equal(["Ripple.wrong_expected_release"], Pipeline.ErrorIds);
        Assert.Equal((0, 3UL), (ChangeCount, Cluster.Newest("orders")));
    }

    [Fact]
    public void A_release_of_another_generation_is_not_undone()
    {
        Pipeline.Run<UndoRippleReleaseCommand>("Release", new { Application = "orders", Release = 3UL, Generation = 2u });
        Assert.Equal(["Ripple.wrong_expected_release"], Pipeline.ErrorIds);
        Assert.Equal((0, 3UL), (ChangeCount, Cluster.Newest("orders")));

        Pipeline.Run<UndoRippleReleaseCommand>("Release", new { Application = "orders", Release = 3UL, Generation = 1u });
        Assert.Equal(4UL, Cluster.Newest("orders"));
    }

    [Fact]
    public void Any_state_comes_back_when_it_is_named()
    {
        Pipeline.Run<UndoRippleReleaseCommand>("ToRelease", new { Application = "orders", ToRelease = 1UL });

        Assert.Empty(Pipeline.Errors);
        Assert.Equal(("1", null, 4UL), (Cluster.Text("orders", "a"), Cluster.Text("orders", "b"), Cluster.Newest("orders")));
    }

    [Fact]
    public void It_asks_with_the_nodes_and_does_nothing_when_told_no()
    {
        Pipeline = new TestPipeline { Answer = false };

        Pipeline.Run<UndoRippleReleaseCommand>("ToRelease", new { Application = "orders", ToRelease = 2UL });

        Assert.StartsWith(
            "Bring back release 2 of orders on cluster c1 (host1), expecting release 3: ",
            Pipeline.Questions.Single().Description,
            StringComparison.Ordinal);
        Assert.EndsWith("reaches 1 node: web-1 (eu-1)", Pipeline.Questions.Single().Description, StringComparison.Ordinal);
        Assert.Equal(0, ChangeCount);
    }

    [Fact]
    public void A_release_that_comes_between_is_not_undone_by_what_was_confirmed_before_it()
    {
        int asked = 0;
        Pipeline = new TestPipeline
        {
            OnQuestion = () =>
            {
                if (++asked == 1)
                {
                    Cluster.Publish("orders", "important", "1");
                }
            },
        };

        Pipeline.Run<UndoRippleReleaseCommand>("ToRelease", new { Application = "orders", ToRelease = 1UL });

        Assert.Equal(2, Pipeline.Questions.Count);
        Assert.DoesNotContain("important", Pipeline.Questions[0].Description, StringComparison.Ordinal);
        Assert.Contains("expecting release 4: ", Pipeline.Questions[1].Description, StringComparison.Ordinal);
        Assert.Contains("important removed", Pipeline.Questions[1].Description, StringComparison.Ordinal);
        Assert.Contains("planned anew", Assert.Single(Pipeline.Verbose), StringComparison.Ordinal);
        Assert.Equal((null, 5UL), (Cluster.Text("orders", "important"), Cluster.Newest("orders")));
    }

    /// <summary>The same number may be another release then.</summary>
    [Fact]
    public void A_restore_that_comes_between_is_not_changed_by_what_was_confirmed_before_it()
    {
        int asked = 0;
        Pipeline = new TestPipeline { OnQuestion = () => Cluster.Generation = ++asked == 1 ? 2u : Cluster.Generation };

        Pipeline.Run<UndoRippleReleaseCommand>("ToRelease", new { Application = "orders", ToRelease = 1UL });

        Assert.Equal(2, Pipeline.Questions.Count);
        Assert.Contains("planned anew", Assert.Single(Pipeline.Verbose), StringComparison.Ordinal);
        Assert.Equal(4UL, Cluster.Newest("orders"));
    }

    [Fact]
    public void Where_others_publish_all_the_time_it_ends_with_an_error()
    {
        Pipeline = new TestPipeline { OnQuestion = () => Cluster.Publish("orders", "b", "x") };

        Pipeline.Run<UndoRippleReleaseCommand>("ToRelease", new { Application = "orders", ToRelease = 1UL });

        Assert.Equal(["Ripple.wrong_expected_release"], Pipeline.ErrorIds);
        Assert.Equal((5, 8UL), (Pipeline.Questions.Count, Cluster.Newest("orders")));
    }

    [Fact]
    public void Impacts_are_as_the_help_says()
    {
        Assert.Equal((true, ConfirmImpact.High), Impact<UndoRippleReleaseCommand>());
        Assert.Equal((true, ConfirmImpact.Medium), Impact<PublishRippleReleaseCommand>());
    }

    private static (bool, ConfirmImpact) Impact<T>() =>
        typeof(T).GetCustomAttribute<CmdletAttribute>() is { } c ? (c.SupportsShouldProcess, c.ConfirmImpact) : default;
}
