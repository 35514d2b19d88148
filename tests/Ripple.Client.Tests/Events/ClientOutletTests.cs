using Ripple.Client.Events;

namespace Ripple.Client.Tests.Events;

public sealed class ClientOutletTests
{
    [Fact]
    public void A_full_outlet_keeps_the_newest_of_each_application_and_counts_the_rest()
    {
        var outlet = new ClientOutlet(() => { });
        for (ulong r = 1; r <= ClientOutlet.EventsMax + 100; r++)
        {
            outlet.Post(Release("shop", r));
        }

        outlet.Post(Release("cart", 1));
        outlet.Post(new ConnectionStateChange(ConnectionState.Disconnected, "lost"));
        outlet.Post(new ConnectionStateChange(ConnectionState.Connected, ""));
        outlet.Post(new ClientEvent.Candidate(Release("shop", 1_000), _ => { }));
        Assert.True(outlet.HasWaiting);
        List<ClientEvent> inOrder = TakeAll(outlet);
        outlet.Flush();
        List<ClientEvent> flushed = TakeAll(outlet);

        Assert.Equal(ClientOutlet.EventsMax, inOrder.Count);
        Assert.False(outlet.HasWaiting);
        RippleRelease newest = flushed.OfType<ClientEvent.Applied>().Single(a => a.Release.Application == "shop").Release;
        Assert.Equal((ulong)ClientOutlet.EventsMax + 100, newest.Release);
        Assert.Equal(99, newest.Skipped);
        Assert.Single(flushed.OfType<ClientEvent.Applied>(), a => a.Release.Application == "cart");
        Assert.Equal(ConnectionState.Connected, Assert.Single(flushed.OfType<ClientEvent.Connection>()).Change.State);
        Assert.Single(flushed.OfType<ClientEvent.Candidate>());
    }

    [Fact]
    public void What_waits_is_not_overtaken_by_what_comes_later()
    {
        var outlet = new ClientOutlet(() => { });
        for (ulong r = 1; r <= ClientOutlet.EventsMax + 1; r++)
        {
            outlet.Post(Release("shop", r));
        }

        TakeAll(outlet);
        outlet.Post(Release("shop", 500));
        Assert.Empty(TakeAll(outlet));
        outlet.Flush();
        Assert.Equal(500ul, Assert.IsType<ClientEvent.Applied>(Assert.Single(TakeAll(outlet))).Release.Release);
    }

    private static RippleRelease Release(string application, ulong release) =>
        new() { Application = application, Generation = 1, Release = release };

    private static List<ClientEvent> TakeAll(ClientOutlet outlet)
    {
        var taken = new List<ClientEvent>();
        while (outlet.Events.TryTake(out ClientEvent item))
        {
            taken.Add(item);
        }

        return taken;
    }
}
