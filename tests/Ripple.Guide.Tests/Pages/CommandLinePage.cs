namespace Ripple.Guide.Tests.Pages;

/// <summary>The page of the <c>ripple</c> command.</summary>
internal sealed class CommandLinePage() : HostedPage("command-line.md")
{
    protected override async Task PrepareAsync()
    {
        await base.PrepareAsync();
        // The page connects by itself.
        Home.Variables.Remove("RIPPLE_CONNECTION_FILE");
        Home.Write("admin.connection", await File.ReadAllTextAsync(Host.AdminConnection, Cancel));
        Home.Write("web.json", """{ "title": "Summer" }""");
        CommitConfig("shop/web.json", """{ "title": "Autumn" }""");
        await Host.PublishAsync(
            "shop",
            until: 41,
            ("web.json", """{ "title": "Spring" }"""),
            ("old.json", "{}"),
            ("Shop.json", """{ "limits": { "min": 1, "max": 4 }, "hosts": [ "web-1", "web-2" ] }"""));
        await Host.JoinAsync("shop", "web-1", "eu-1");
    }

    protected override string Answers(GuideBlock block) =>
        block.Text.Contains("limits.json=-", StringComparison.Ordinal) ? """{ "max": 5 }""" : string.Empty;

    protected override Task AfterAsync(GuideBlock block, string output)
    {
        if (block.Text.Contains("--out web-41.json", StringComparison.Ordinal))
        {
            Assert.Equal("""{ "title": "Spring" }""", File.ReadAllText(Home.PathOf("web-41.json")));
            Assert.True(File.Exists(Home.PathOf("ci.connection")));
        }

        return Task.CompletedTask;
    }
}
