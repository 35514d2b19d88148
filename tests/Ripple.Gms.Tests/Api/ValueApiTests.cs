using Ripple.Admin.Contracts;

namespace Ripple.Gms.Tests.Api;

/// <summary>What a value comes with, besides its bytes.</summary>
public sealed class ValueApiTests
{
    private const string Value = "/v1/applications/shop/value?key=a";

    [Fact]
    public async Task A_value_comes_with_the_release_it_was_read_at_and_its_form()
    {
        await using HttpRig rig = await HttpRig.StartAsync();
        await rig.PublishedAsync("a", "one");
        await rig.PublishedAsync("b", "two");

        HttpAnswer newest = await rig.GetAsync(rig.Node, Value);
        HttpAnswer first = await rig.GetAsync(rig.Node, Value + "&release=1");

        Assert.Equal(("one", "2", "1"), Read(newest));
        Assert.Equal(("one", "1", "1"), Read(first));
        Assert.Equal("application/octet-stream", newest.Headers.ContentType.ToString());
    }

    [Fact]
    public async Task A_values_entity_tag_changes_with_its_content_alone()
    {
        await using HttpRig rig = await HttpRig.StartAsync();
        await rig.PublishedAsync("a", "one");
        string first = (await rig.GetAsync(rig.Node, Value)).Headers.ETag.ToString();
        await rig.PublishedAsync("b", "two");
        string second = (await rig.GetAsync(rig.Node, Value)).Headers.ETag.ToString();
        await rig.PublishedAsync("a", "another");
        string third = (await rig.GetAsync(rig.Node, Value)).Headers.ETag.ToString();

        Assert.Matches("^\"[0-9a-f]{40}\"$", first);
        Assert.Equal(first, second);
        Assert.Matches("^\"[0-9a-f]{40}\"$", third);
        Assert.NotEqual(first, third);
    }

    private static (string Text, string Release, string Generation) Read(HttpAnswer answer) =>
        (answer.Text, answer.Headers[AdminRoutes.ReleaseHeader].ToString(), answer.Headers[AdminRoutes.GenerationHeader].ToString());
}
