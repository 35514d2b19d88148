using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Tests.Engine;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Set-RippleValue and Remove-RippleValue.</summary>
public sealed class EditTests : CmdletTest
{
    private const string Document = "{\n  // why\n  \"limits\": { \"max\": 5 },\n  \"region\": \"eu\"\n}\n";

    public EditTests()
    {
        Cluster.Add("orders", Node("web-1", 0), Node("web-2", 0));
        Cluster.Publish("orders", "a.json", Document);
    }

    [Theory]
    [InlineData(7, "7")]
    [InlineData(2.5, "2.5")]
    [InlineData(true, "true")]
    [InlineData("it's", "\"it's\"")]
    [InlineData(null, "null")]
    public void One_place_is_set_and_the_rest_stays(object? value, string json)
    {
        Set(new { Application = "orders", Key = "a.json", Pointer = "/limits/max", Value = value, PassThru = true });

        Assert.Equal(Document.Replace("\"max\": 5", $"\"max\": {json}", StringComparison.Ordinal), Cluster.Text("orders", "a.json"));
        RippleEdit edit = Assert.Single(Pipeline.Objects<RippleEdit>());
        Assert.Equal(
            ("a.json", "/limits/max", "5", json, 2UL, true, 1),
            (edit.Key, edit.Pointer, edit.Before, edit.After, edit.Release, edit.IsPublished, edit.Tries));
    }

    [Fact]
    public void JSON_is_set_as_it_is_and_what_is_missing_is_made_on_request()
    {
        Pipeline.Run<SetRippleValueCommand>(
            "Json", new { Application = "orders", Key = "a.json", Pointer = "/new/list", Json = "[1, 2]", Create = true });
        Pipeline.Run<SetRippleValueCommand>("Json", new { Application = "orders", Key = "a.json", Pointer = "/other/list", Json = "[]" });
        Pipeline.Run<SetRippleValueCommand>("Json", new { Application = "orders", Key = "a.json", Pointer = "/region", Json = "{" });

        Assert.Contains("\"list\": [1, 2]", Cluster.Text("orders", "a.json"), StringComparison.Ordinal);
        Assert.Equal(["Ripple.edit_refused", "Ripple.invalid_request"], Pipeline.ErrorIds);
    }

    [Fact]
    public void One_place_is_removed_and_what_is_not_there_is_no_error()
    {
        for (int i = 0; i < 2; i++)
        {
            Pipeline.Run<RemoveRippleValueCommand>(
                null, new { Application = "orders", Key = "a.json", Pointer = "/limits/max", PassThru = true });
        }

        Assert.Empty(Pipeline.Errors);
        Assert.Equal([true, false], Pipeline.Objects<RippleEdit>().Select(e => e.IsPublished));
        Assert.Contains("nothing is published", Assert.Single(Pipeline.Verbose), StringComparison.Ordinal);
        Assert.DoesNotContain("max", Cluster.Text("orders", "a.json"), StringComparison.Ordinal);
        Assert.Equal(2UL, Cluster.Newest("orders"));
    }

    [Fact]
    public void WhatIf_shows_what_is_there_and_what_will_be_and_changes_nothing()
    {
        Pipeline = new TestPipeline { Answer = false };

        Set(new { Application = "orders", Key = "a.json", Pointer = "/limits/max", Value = 7 });
        Pipeline.Run<SetRippleValueCommand>(
            "Json", new { Application = "orders", Key = "a.json", Pointer = "/limits", Json = "{\n  \"max\": 7\n}" });

        Assert.Equal(
            "Set /limits/max of a.json of orders on cluster c1 (host1), expecting release 1: 5 -> 7; reaches 2 nodes: "
                + "web-1 (eu-1), web-2 (eu-1)",
            Pipeline.Questions[0].Description);
        Assert.Contains(
            "release 1: \n  - { \"max\": 5 }\n  + {\n  +   \"max\": 7\n  + }\n; reaches",
            Pipeline.Questions[1].Description,
            StringComparison.Ordinal);
        Assert.Equal(1UL, Cluster.Newest("orders"));
    }

    [Fact]
    public void Another_that_changes_another_place_is_no_obstacle()
    {
        Pipeline = new TestPipeline
        {
            OnQuestion = () => Cluster.Publish("orders", "a.json", Document.Replace("eu", "us", StringComparison.Ordinal)),
        };

        Set(new { Application = "orders", Key = "a.json", Pointer = "/limits/max", Value = 7 });

        Assert.Empty(Pipeline.Errors);
        Assert.Contains("\"max\": 7", Cluster.Text("orders", "a.json"), StringComparison.Ordinal);
        Assert.Contains("\"us\"", Cluster.Text("orders", "a.json"), StringComparison.Ordinal);
    }

    [Fact]
    public void Another_that_changes_the_place_after_it_was_shown_is_a_conflict()
    {
        Pipeline = new TestPipeline
        {
            OnQuestion = () => Cluster.Publish("orders", "a.json", Document.Replace('5', '6')),
        };

        Set(new { Application = "orders", Key = "a.json", Pointer = "/limits/max", Value = 7 });

        Assert.Equal(["Ripple.edit_conflict"], Pipeline.ErrorIds);
        Assert.Equal(2UL, Cluster.Newest("orders"));
    }

    [Fact]
    public void What_has_no_plain_form_is_one_error_and_the_next_item_has_its_turn()
    {
        Pipeline.Run<SetRippleValueCommand>(
            "Value",
            new { Application = "orders", Key = "a.json" },
            new { Pointer = "/limits/max", Value = (object)new Uri("https://host.test") },
            new { Pointer = "limits", Value = (object)1 },
            new { Pointer = "/limits/max", Value = (object)double.NaN },
            new { Pointer = "/limits/max", Value = (object)8 });

        Assert.Equal(["Ripple.invalid_value", "Ripple.invalid_request", "Ripple.invalid_value"], Pipeline.ErrorIds);
        Assert.Contains("-Json", Pipeline.Errors[0].Exception.Message, StringComparison.Ordinal);
        Assert.Contains("\"max\": 8", Cluster.Text("orders", "a.json"), StringComparison.Ordinal);
    }

    [Fact]
    public void Wait_follows_the_release_of_the_edit()
    {
        Set(new { Application = "orders", Key = "a.json", Pointer = "/limits/max", Value = 7, Wait = true });

        Assert.Equal("Release 2 of orders", Pipeline.Progress[^1].Activity);
    }

    private void Set(object parameters) => Pipeline.Run<SetRippleValueCommand>("Value", parameters);
}
