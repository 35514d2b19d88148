namespace Ripple.Guide.Tests.Pages;

/// <summary>The page of events: two subscribers in terminals of their own, and an emitter.</summary>
internal sealed class EventsPage() : HostedPage("events.md")
{
    protected override async Task AfterAsync(GuideBlock block, string output)
    {
        if (block.Text.StartsWith("ripple subscribe ", StringComparison.Ordinal))
        {
            // Somebody who types takes longer than a subscription does.
            int count = block.Section.StartsWith("Late", StringComparison.Ordinal) ? 3 : 2;
            var point = new Dictionary<string, string>(StringComparer.Ordinal) { ["price"] = "15", ["volume"] = "5000" };
            await UntilAsync(
                async () => (await Host.Admin.ExplainSpaceAsync("trades", point, Cancel)).Count == count, "all have subscribed");
        }
        else if (block.Text.StartsWith("ripple emit ", StringComparison.Ordinal))
        {
            // The emitter returns when the host has its event; the other terminals print it soon after.
            string[] first = ["price=15 volume=100 sold to Ann", "price=15.5 volume=5000"];
            string[] second = ["price=15.5 volume=5000"];
            await UntilAsync(
                () => Task.FromResult(Followed(1).Length >= first.Length && Followed(2).Length >= second.Length), "both have printed");
            Assert.Equal(first, Followed(1));
            Assert.Equal(second, Followed(2));
        }
    }

    private string[] Followed(int number) => Bash.Followed(number).Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
