namespace Ripple.Guide.Tests.Pages;

/// <summary>The page of regions.</summary>
internal sealed class RegionsPage() : HostedPage("regions.md")
{
    private string _region = string.Empty;

    protected override async Task PrepareAsync()
    {
        await base.PrepareAsync();
        await Host.JoinAsync("shop", "web-1", "eu-1");
        _region = await RegionAsync();
    }

    protected override string Put(GuideBlock block) => block.Text.Replace("3f9c", _region[..4], StringComparison.Ordinal);
}
