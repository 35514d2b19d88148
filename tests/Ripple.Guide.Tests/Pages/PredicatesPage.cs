namespace Ripple.Guide.Tests.Pages;

/// <summary>The page of predicates, with two processes that report what it speaks of.</summary>
internal sealed class PredicatesPage() : HostedPage("predicates.md")
{
    /// <summary>The release that the page speaks of.</summary>
    private const ulong Release = 42;

    protected override async Task PrepareAsync()
    {
        await base.PrepareAsync();
        await Host.PublishAsync("shop", until: Release - 1);
        await Host.JoinAsync("shop", "web-1", "eu-west");
        await Host.JoinAsync("shop", "web-2", "eu-north");
        // A wait is for those who were there when its release was published.
        await Host.PublishAsync("shop", until: Release);
    }

    protected override Task BeforeAsync(GuideBlock block)
    {
        if (block.Text.Contains("ripple level set", StringComparison.Ordinal))
        {
            // What the page's program does, as soon as there is the level; the page waits for it.
            _ = ReportAsync();
        }

        return Task.CompletedTask;
    }

    private async Task ReportAsync()
    {
        await UntilAsync(
            async () => (await Host.Admin.GetDefinitionsAsync("shop", Cancel)).Levels.Any(l => l.Name == "verified"), "the level is there");
        foreach (Client.RippleClient node in Host.Nodes)
        {
            await node.ReportAsync("shop", Release, "verified", Cancel);
        }
    }
}
