namespace Ripple.Guide.Tests.Pages;

/// <summary>The page of publishing, waiting and going back.</summary>
internal sealed class PublishPage() : HostedPage("publish-and-prove.md")
{
    protected override async Task PrepareAsync()
    {
        await base.PrepareAsync();
        Home.Write("web.json", """{ "title": "Summer" }""");
        Home.Write("limits.json", """{ "max": 5 }""");
        CommitConfig("shop/web.json", """{ "title": "Autumn" }""");
        await Host.Admin.CreateApplicationAsync("shop-test", Cancel);
        await Host.PublishAsync("shop", until: 41, ("web.json", """{ "title": "Spring" }"""), ("old.json", "{}"));
        await Host.JoinAsync("shop", "web-1", "eu-1");
    }

    protected override async Task AfterAsync(GuideBlock block, string output)
    {
        if (block.Section == "Many at once, and from git")
        {
            Assert.Equal(1UL, (await Host.Admin.GetApplicationAsync("shop-test", Cancel)).Release);
            Assert.Equal(44UL, (await Host.Admin.GetApplicationAsync("shop", Cancel)).Release);
        }
    }
}
