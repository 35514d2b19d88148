using System.Management.Automation;
using System.Text;
using System.Text.Json;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Tests.Engine;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Publish-RippleRelease.</summary>
public sealed class PublishTests : CmdletTest
{
    public PublishTests() => Cluster.Add("orders", Node("web-1", 0), Node("web-2", 0)).Add("stock");

    [Fact]
    public void Publish_releases_a_value_and_writes_nothing()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Key = "a.json", Value = "{}", Note = "why" });

        Assert.Equal("{}", Cluster.Text("orders", "a.json"));
        Assert.Empty(Pipeline.Output);
        Assert.Empty(Pipeline.Errors);
        Assert.Equal(
            "why",
            Pipeline.Run<GetRippleReleaseCommand>(
                null, new { Application = "orders", Release = 1UL }).Objects<RippleRelease>().Single().Note);
    }

    [Fact]
    public void PassThru_writes_what_was_released()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Key = "a", Value = "1", PassThru = true });

        RipplePublished published = Assert.Single(Pipeline.Objects<RipplePublished>());
        Assert.Equal(("orders", 1UL, 1U), (published.Application, published.Release, published.Generation));
        Assert.NotEqual(Guid.Empty, published.PublishId);
    }

    [Fact]
    public void One_pipeline_is_one_release_of_each_application()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(
            null,
            new { PassThru = true },
            new { Application = "orders", Key = "a", Value = "1" },
            new { Application = "stock", Key = "a", Value = "2" },
            new { Application = "orders", Key = "b", Value = "3" });

        Assert.Equal(
            [("orders", 1UL), ("stock", 1UL)], Pipeline.Objects<RipplePublished>().Select(p => (p.Application, p.Release)).Order());
        Assert.Equal(("1", "3", "2"), (Cluster.Text("orders", "a"), Cluster.Text("orders", "b"), Cluster.Text("stock", "a")));
    }

    [Fact]
    public void WhatIf_names_keys_and_nodes_and_changes_nothing()
    {
        Cluster.Publish("orders", "b", "old");
        Pipeline = new TestPipeline { Answer = false };

        Pipeline.Run<PublishRippleReleaseCommand>(null, new { PassThru = true }, new
        {
            Application = "orders",
            Key = "a",
            Value = "1",
        }, new { Application = "orders", Key = "b", Value = "1" });

        (string description, string warning, string caption) = Assert.Single(Pipeline.Questions);
        Assert.Equal(
            "Publish to orders on cluster c1 (host1), expecting release 1: a added, b changed; reaches 2 nodes: web-1 (eu-1), web-2 (eu-1)",
            description);
        Assert.Equal((description + "?", "Ripple"), (warning, caption));
        Assert.Equal((0, 1UL), (ChangeCount, Cluster.Newest("orders")));
        Assert.Empty(Pipeline.Output);
    }

    [Fact]
    public void A_change_that_cannot_be_taken_stops_its_application_and_no_other()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(
            null,
            null,
            new { Application = "orders", Key = "a", Value = "1" },
            new { Application = "orders", Key = "b", Value = (object)new Uri("https://host.test") },
            new { Application = "stock", Key = "a", Value = "2" });

        Assert.Equal(["Ripple.invalid_value"], Pipeline.ErrorIds);
        Assert.Contains("ConvertTo-Json", Pipeline.Errors[0].Exception.Message, StringComparison.Ordinal);
        Assert.Contains("Nothing of 'orders' was published", Assert.Single(Pipeline.Warnings), StringComparison.Ordinal);
        Assert.Equal((0UL, 1UL), (Cluster.Newest("orders"), Cluster.Newest("stock")));
    }

    [Fact]
    public void A_key_that_is_given_twice_is_an_error()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(
            null, null, new { Application = "orders", Key = "a", Value = "1" }, new { Application = "orders", Key = "a", Value = "2" });

        Assert.Equal(
            ("Ripple.invalid_request", "{ Application = orders, Key = a, Value = 2 }"),
            (Pipeline.Errors.Single().FullyQualifiedErrorId, Pipeline.Errors.Single().TargetObject!.ToString()));
        Assert.Equal(0UL, Cluster.Newest("orders"));
    }

    [Theory]
    [InlineData(5, "5")]
    [InlineData(2.5, "2.5")]
    [InlineData(true, "true")]
    [InlineData("", "")]
    public void Numbers_and_truth_are_written_as_JSON_does(object value, string text)
    {
        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Key = "a", Value = (object)new PSObject(value) });

        Assert.Empty(Pipeline.Errors);
        Assert.Equal(text, Cluster.Text("orders", "a"));
    }

    [Fact]
    public void A_file_is_published_byte_for_byte_under_its_name()
    {
        string folder = Directory.CreateTempSubdirectory("ripple-ps-").FullName;
        byte[] bytes = [0xEF, 0xBB, 0xBF, .. Encoding.UTF8.GetBytes("{ }\r\n")];
        File.WriteAllBytes(Path.Combine(folder, "a.json"), bytes);
        Pipeline = new TestPipeline { Folder = folder };

        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders" }, new { PSPath = "a.json" });
        Pipeline.Run<GetRippleConfigCommand>(null, new { Application = "orders" });
        Directory.Delete(folder, recursive: true);

        RippleConfigValue value = Assert.Single(Pipeline.Objects<RippleConfigValue>());
        Assert.Equal(("a.json", 8), (value.Key, value.LengthBytes));
        Assert.Equal(bytes, Encoding.UTF8.GetBytes((string)value.Value));
    }

    [Fact]
    public void A_file_that_is_not_there_is_an_error()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Path = "no-such-file" });

        Assert.Equal(
            ("Ripple.unreadable", ErrorCategory.ReadError), (Pipeline.Errors.Single().FullyQualifiedErrorId, Pipeline.Errors[0].Category));
        Assert.Empty(Cluster.Asked);
    }

    [Fact]
    public void Remove_removes_a_key()
    {
        Cluster.Publish("orders", "a", "1");

        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Key = "a", Remove = true });

        Assert.Null(Cluster.Text("orders", "a"));
        Assert.Equal(2UL, Cluster.Newest("orders"));
    }

    [Fact]
    public void Another_release_than_expected_is_refused()
    {
        Cluster.Publish("orders", "a", "1");

        Pipeline.Run<PublishRippleReleaseCommand>(
            null, new { Application = "orders", Key = "a", Value = "2", ExpectedRelease = "0", PassThru = true });

        Assert.Equal(
            ("Ripple.wrong_expected_release", ErrorCategory.InvalidOperation),
            (Pipeline.Errors.Single().FullyQualifiedErrorId, Pipeline.Errors[0].Category));
        Assert.Empty(Pipeline.Output);
        Assert.Equal("1", Cluster.Text("orders", "a"));
    }

    [Fact]
    public void A_release_may_be_expected_with_its_generation()
    {
        Cluster.Publish("orders", "a", "1");

        Pipeline.Run<PublishRippleReleaseCommand>(
            null, new { Application = "orders", Key = "a", Value = "2", ExpectedRelease = "2/1" });
        Pipeline.Run<PublishRippleReleaseCommand>(
            null, new { Application = "orders", Key = "a", Value = "2", ExpectedRelease = "two" });
        Assert.Equal(["Ripple.wrong_expected_release", "Ripple.invalid_request"], Pipeline.ErrorIds);
        Pipeline.Run<PublishRippleReleaseCommand>(
            null, new { Application = "orders", Key = "a", Value = "2", ExpectedRelease = "1/1", Wait = true });

        Assert.Equal("2", Cluster.Text("orders", "a"));
        Assert.Contains(Cluster.Asked, a => a.Contains("/waits?generation=1&release=2", StringComparison.Ordinal));
    }

    [Fact]
    public void An_application_that_is_not_there_is_an_error_and_the_next_has_its_turn()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(
            null, null, new { Application = "nowhere", Key = "a", Value = "1" }, new { Application = "stock", Key = "a", Value = "2" });

        Assert.Equal(
            ("Ripple.unknown_application", ErrorCategory.ObjectNotFound, "nowhere"),
            (Pipeline.Errors.Single().FullyQualifiedErrorId, Pipeline.Errors[0].Category, Pipeline.Errors[0].TargetObject));
        Assert.Equal(1UL, Cluster.Newest("stock"));
    }

    [Fact]
    public void Wait_shows_progress_that_fills()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Key = "a", Value = "1", Wait = true });

        Assert.Empty(Pipeline.Errors);
        Assert.Equal((100, ProgressRecordType.Completed), (Pipeline.Progress[^1].PercentComplete, Pipeline.Progress[^1].RecordType));
        Assert.Equal("Release 1 of orders", Pipeline.Progress[^1].Activity);
    }

    [Fact]
    public void A_release_that_is_not_accepted_stays_published_and_is_an_error()
    {
        var result = new WaitResult(WaitOutcome.CannotHold, "", 2, [new WaitMember("1", "web-1", 0, "'max' is missing")], []);
        Cluster.Wait = () => FakeCluster.Events((AdminRoutes.ResultEvent, JsonSerializer.Serialize(result, AdminJson.Default.WaitResult)));

        Pipeline.Run<PublishRippleReleaseCommand>(
            null, new { Application = "orders", Key = "a", Value = "1", Wait = true, PassThru = true });

        Assert.Equal(1UL, Assert.Single(Pipeline.Objects<RipplePublished>()).Release);
        Assert.Equal(["Ripple.cannot_hold"], Pipeline.ErrorIds);
        Assert.Contains("web-1 is at 0 ('max' is missing)", Pipeline.Errors[0].Exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_wait_for_nobody_is_an_error_of_its_own_and_the_release_is_published()
    {
        Cluster.Wait = () => throw new RippleAdminException(
            new Problem { Code = ProblemCodes.InvalidPredicate, Title = "t", Detail = "$ALL has no members" });

        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "stock", Key = "a", Value = "1", Wait = true });
        Pipeline.Run<WaitRippleReleaseCommand>(null, new { Application = "stock", Release = 1UL });
        Pipeline.Run<WaitRippleReleaseCommand>(null, new { Application = "stock", Release = 1UL, Predicate = "MIN($ZONE_x.applied)" });

        Assert.Equal(["Ripple.no_members", "Ripple.no_members", "Ripple.invalid_predicate"], Pipeline.ErrorIds);
        Assert.Equal(1UL, Cluster.Newest("stock"));
    }

    [Fact]
    public void A_wait_that_is_lost_says_that_the_release_is_published()
    {
        Cluster.Wait = () => throw new RippleAdminException(AdminFailure.Refused, "gone");

        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Key = "a", Value = "1", Wait = true });

        Assert.Equal(["Ripple.wait_failed"], Pipeline.ErrorIds);
        Assert.StartsWith("Release 1 of 'orders' is published", Pipeline.Errors[0].Exception.Message, StringComparison.Ordinal);
    }
}
