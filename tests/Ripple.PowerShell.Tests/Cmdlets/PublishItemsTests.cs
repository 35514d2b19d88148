using System.Collections;
using System.Management.Automation;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Tests.Engine;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>What comes to Publish-RippleRelease through the pipeline: one release, all of it or nothing.</summary>
public sealed class PublishItemsTests : CmdletTest
{
    private static readonly object First = new { Key = "p/1", Value = "1" };

    public PublishItemsTests() => Cluster.Add("orders", Node("web-1", 0)).Add("stock");

    public static TheoryData<string> Broken => ["null", "misspelt", "no key", "empty key", "several keys", "two values", "maybe", "a word"];

    [Theory]
    [MemberData(nameof(Broken))]
    public void An_item_that_cannot_be_taken_keeps_the_others_from_being_published(string what)
    {
        object broken = what switch
        {
            "null" => new { Key = "p/2", Value = (string?)null },
            "misspelt" => new { Key = "p/2", Vale = "x" },
            "no key" => new { Value = "x" },
            "empty key" => new { Key = "", Value = "x" },
            "several keys" => new { Key = new[] { "p/2", "p/3" }, Value = "x" },
            "two values" => new { Key = "p/2", Value = "x", Path = "x" },
            "maybe" => new { Key = "p/2", Remove = "maybe" },
            _ => "p/2",
        };

        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders" }, First, broken);

        Assert.Equal(["Ripple.invalid_value"], Pipeline.ErrorIds);
        Assert.Same(broken, ((PSObject)Pipeline.Errors[0].TargetObject!).BaseObject);
        Assert.Contains("Nothing of 'orders' was published", Assert.Single(Pipeline.Warnings), StringComparison.Ordinal);
        Assert.Equal(0UL, Cluster.Newest("orders"));
    }

    [Fact]
    public void An_item_that_names_no_application_keeps_all_from_being_published()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(
            null, null, new { Application = "orders", Key = "a", Value = "1" }, new { Key = "b", Value = "2" });

        Assert.Equal(["Ripple.invalid_value"], Pipeline.ErrorIds);
        Assert.Equal(0UL, Cluster.Newest("orders"));
    }

    [Fact]
    public void One_release_sets_and_removes()
    {
        Cluster.Publish("orders", "old", "1");

        Pipeline.Run<PublishRippleReleaseCommand>(
            null,
            new { Application = "orders" },
            new { Key = "new", Value = "1" },
            new { Key = "old", Remove = true },
            new { Key = "kept", Value = "2", Remove = "False" });

        Assert.Empty(Pipeline.Errors);
        Assert.Equal(("1", null, "2", 2UL), (
            Cluster.Text("orders", "new"), Cluster.Text("orders", "old"), Cluster.Text("orders", "kept"), Cluster.Newest("orders")));
    }

    [Fact]
    public void Tables_are_items_too()
    {
        Pipeline.Run<PublishRippleReleaseCommand>(
            null,
            null,
            new PSObject(new Hashtable { ["application"] = "orders", ["key"] = "a", ["value"] = 5 }),
            new PSObject(new Hashtable { ["Application"] = "stock", ["Key"] = "a", ["Value"] = new PSObject("2") }));

        Assert.Empty(Pipeline.Errors);
        Assert.Equal(("5", "2"), (Cluster.Text("orders", "a"), Cluster.Text("stock", "a")));
    }

    [Fact]
    public void Files_are_published_under_the_keys_of_their_items_or_of_a_block()
    {
        string folder = Directory.CreateTempSubdirectory("ripple-ps-").FullName;
        File.WriteAllText(Path.Combine(folder, "limits.json"), "{}");
        string file = Path.Combine(folder, "limits.json");

        Pipeline.Run<PublishRippleReleaseCommand>(null, null, new { Application = "orders", Key = "conf/limits.json", Path = file });
        Pipeline.Run<PublishRippleReleaseCommand>(
            null,
            new { Application = "stock", Key = new ScriptBlock(item => $"made/{((PSObject)item!).Properties["Name"]!.Value}") },
            new { FullName = file, Name = "it" });
        Pipeline.Run<PublishRippleReleaseCommand>(
            null,
            new { Application = "stock", Key = new ScriptBlock(_ => throw new RuntimeException("no such thing")) },
            new { FullName = file });
        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "stock" }, new { FullName = folder });
        Directory.Delete(folder, recursive: true);

        Assert.Equal(("{}", "{}"), (Cluster.Text("orders", "conf/limits.json"), Cluster.Text("stock", "made/it")));
        Assert.Equal(["Ripple.invalid_value", "Ripple.unreadable"], Pipeline.ErrorIds);
        Assert.Contains("is a folder", Pipeline.Errors[1].Exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_release_that_comes_between_is_planned_for_anew()
    {
        Pipeline = new TestPipeline
        {
            OnQuestion = () =>
            {
                if (Cluster.Newest("orders") == 0)
                {
                    Cluster.Publish("orders", "a", "another's");
                }
            },
        };

        Pipeline.Run<PublishRippleReleaseCommand>(null, new { Application = "orders", Key = "a", Value = "1", PassThru = true });

        Assert.Equal(["a added", "a changed"], Pipeline.Questions.Select(q => q.Description.Split(": ")[1].Split(';')[0]));
        Assert.Equal(("1", 2UL), (Cluster.Text("orders", "a"), Cluster.Newest("orders")));
        Assert.Single(Pipeline.Output);
    }

    [Fact]
    public void A_release_that_is_expected_by_its_caller_is_not_planned_for_anew()
    {
        Pipeline = new TestPipeline { OnQuestion = () => Cluster.Publish("orders", "a", "another's") };

        Pipeline.Run<PublishRippleReleaseCommand>(
            null, new { Application = "orders", Key = "a", Value = "1", ExpectedRelease = "0" });

        Assert.Equal(["Ripple.wrong_expected_release"], Pipeline.ErrorIds);
        Assert.Single(Pipeline.Questions);
        Assert.Equal("another's", Cluster.Text("orders", "a"));
    }
}
