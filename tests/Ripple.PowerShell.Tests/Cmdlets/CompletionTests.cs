using System.Collections;
using System.Management.Automation;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Completers offer what the host has, and are silent about everything else.</summary>
public sealed class CompletionTests : CmdletTest
{
    public CompletionTests()
    {
        Cluster.Add("orders", Node("web-1", 0), Node("my node", 0)).Add("stock");
        Cluster.Publish("orders", "pay/a.json", "{}");
        Cluster.Publish("orders", "it's", "1");
    }

    [Fact]
    public void Applications_are_offered() => Assert.Equal(["orders"], Complete(new ApplicationCompleter(), "OR"));

    [Fact]
    public void Keys_of_the_application_are_offered_and_quoted_where_they_must_be()
    {
        Assert.Equal(["pay/a.json"], Complete(new KeyCompleter(), "pay", "orders"));
        Assert.Equal(["'it''s'"], Complete(new KeyCompleter(), "'it", "orders"));
    }

    [Theory]
    [InlineData("q\u2019; Write-Host PWNED; \u2018", "'q\u2019\u2019; Write-Host PWNED; \u2018\u2018'")]
    [InlineData("q\u201A\u201B' x", "'q\u201A\u201A\u201B\u201B'' x'")]
    public void Typographic_quotes_do_not_end_the_quoting(string key, string offered)
    {
        Cluster.Publish("orders", key, "1");

        Assert.Equal([offered], Complete(new KeyCompleter(), "q", "orders"));
        Assert.Equal([offered], Complete(new KeyCompleter(), "\u2018q", "orders"));
    }

    [Fact]
    public void Wildcards_of_a_name_are_escaped_where_a_pattern_is_taken()
    {
        Cluster.Publish("orders", "u/[br]", "1");

        Assert.Equal(["'u/`[br`]'"], Complete(new KeyPatternCompleter(), "u/`[", "orders"));
        Assert.Equal(["'u/[br]'"], Complete(new KeyCompleter(), "u/[", "orders"));
    }

    [Fact]
    public void The_connection_on_the_command_line_is_asked()
    {
        using var other = new FakeCluster();
        other.Add("others");
        var bound = new Hashtable { ["Connection"] = new PSObject(Connection(other, "c2")) };

        Assert.Equal(
            ["others"],
            new ApplicationCompleter().CompleteArgument("Get-RippleNode", "x", "o", null!, bound).Select(c => c.CompletionText));
        Assert.Empty(Cluster.Asked);
    }

    [Fact]
    public void What_cannot_be_seen_is_not_offered()
    {
        Cluster.Publish("orders", "x\u202Egnp.exe", "1");

        Assert.Empty(Complete(new KeyCompleter(), "x", "orders"));
    }

    [Fact]
    public void Nodes_of_the_application_are_offered()
    {
        Assert.Equal(["web-1"], Complete(new NodeCompleter(), "web", "orders"));
        Assert.Equal(["'my node'"], Complete(new NodeCompleter(), "my", new object[] { "orders" }));
    }

    [Fact]
    public void Nothing_is_offered_without_an_application()
    {
        Assert.Empty(Complete(new KeyCompleter(), ""));
        Assert.Empty(Complete(new NodeCompleter(), ""));
        Assert.Empty(Cluster.Asked);
    }

    [Fact]
    public void Nothing_is_offered_without_a_connection()
    {
        RippleSession.Use(null);

        Assert.Empty(Complete(new ApplicationCompleter(), ""));
    }

    [Fact]
    public void Failures_are_silent()
    {
        Cluster.OnRequest = _ => throw new HttpRequestException("broken");

        Assert.Empty(Complete(new ApplicationCompleter(), ""));
        Assert.Empty(Complete(new KeyCompleter(), "", "nowhere"));
    }

    [Fact]
    public void A_host_that_does_not_answer_is_not_waited_for()
    {
        using var never = new ManualResetEventSlim();
        Cluster.OnRequest = _ => never.Wait(TimeSpan.FromMinutes(1));

        Assert.Empty(Complete(new ApplicationCompleter(), ""));

        never.Set();
    }

    [Fact]
    public void No_more_is_offered_than_can_be_looked_at()
    {
        for (int i = 0; i < 150; i++)
        {
            Cluster.Add($"app-{i}");
        }

        Assert.Equal(Candidates.OfferedMax, Complete(new ApplicationCompleter(), "app-").Length);
    }

    private static string[] Complete(IArgumentCompleter completer, string word, object? application = null)
    {
        var bound = new Hashtable();
        if (application is not null)
        {
            bound.Add("Application", application);
        }

        return [.. completer.CompleteArgument("Get-RippleNode", "x", word, null!, bound).Select(c => c.CompletionText)];
    }
}
