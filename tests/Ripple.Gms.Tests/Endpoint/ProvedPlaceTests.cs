using Ripple.Gms.Endpoint;

namespace Ripple.Gms.Tests.Endpoint;

/// <summary>Places of HTTP connections whose callers showed a good token: one token cannot take those of others.</summary>
public sealed class ProvedPlaceTests
{
    private static readonly SourceAddress Source = new(1, IsIPv6: false);
    private static readonly ShareOwner Administrator = new("admin", null);
    private readonly List<string> _gone = [];

    [Fact]
    public void One_token_has_half_and_its_longest_idle_connection_gives_way_to_its_next()
    {
        var places = new ProvedPlaces(8);
        for (int i = 1; i <= 4; i++)
        {
            Idle(places, "mallory", "shop", $"mallory-{i}");
        }

        Idle(places, "other", "other", "other-1");
        Idle(places, "mallory", "shop", "mallory-5");
        Idle(places, "mallory", "shop", "mallory-6");
        Assert.Equal(["mallory-1", "mallory-2"], _gone);
        Assert.Equal(5, places.Count);
    }

    [Fact]
    public void Tokens_of_one_application_have_three_quarters_together()
    {
        var places = new ProvedPlaces(8);
        for (int i = 1; i <= 8; i++)
        {
            Idle(places, $"mallory-{i}", "shop", $"mallory-{i}");
        }

        Assert.Equal(["mallory-1", "mallory-2"], _gone);
        Idle(places, "x", "other", "x");
        Idle(places, "y", null, "y");
        Assert.Equal(2, _gone.Count);
    }

    [Fact]
    public void The_token_with_the_most_gives_way_when_all_places_are_taken()
    {
        var places = new ProvedPlaces(4);
        Idle(places, "one", "a", "one-1");
        Idle(places, "two", "b", "two-1");
        Idle(places, "two", "b", "two-2");
        Idle(places, "three", "c", "three-1");
        Idle(places, "four", "d", "four-1");
        Assert.Equal(["two-1"], _gone);
    }

    [Fact]
    public void Who_has_a_request_under_way_gives_way_to_an_administrator_of_the_cluster_alone()
    {
        var places = new ProvedPlaces(4);
        ProvedPlaces.Place first = Busy(places, "one", "a", "one-1")!;
        Busy(places, "one", "a", "one-2");
        Busy(places, "two", "b", "two-1");
        Busy(places, "three", "c", "three-1");
        Assert.Null(Busy(places, "four", "d", "four-1"));
        Assert.Null(Busy(places, "one", "a", "one-3"));
        Assert.Empty(_gone);
        Assert.NotNull(places.TryTake(Administrator, isAdministrator: true, () => _gone.Add("admin-1")));
        Assert.Equal(["one-1"], _gone);
        // What gave way gives nothing back twice, and administrators keep their place.
        first.Dispose();
        Assert.Equal(4, places.Count);
        Assert.Null(Busy(places, "two", "b", "two-2"));
        Assert.Equal(["one-1"], _gone);
    }

    [Fact]
    public void An_administrator_finds_a_place_though_all_of_its_own_are_busy()
    {
        var places = new ProvedPlaces(4);
        for (int i = 1; i <= 3; i++)
        {
            int number = i;
            Assert.NotNull(places.TryTake(Administrator, isAdministrator: true, () => _gone.Add($"admin-{number}")));
        }

        Assert.Equal(["admin-1"], _gone);
    }

    [Fact]
    public void A_connection_with_two_requests_is_idle_after_both()
    {
        var places = new ProvedPlaces(2);
        ProvedPlaces.Place place = Busy(places, "one", "a", "one-1")!;
        place.Begin();
        place.End();
        Assert.Null(Busy(places, "one", "a", "one-2"));
        place.End();
        Assert.NotNull(Busy(places, "one", "a", "one-3"));
        Assert.Equal(["one-1"], _gone);
    }

    [Fact]
    public void A_proved_connection_leaves_the_places_of_the_unknown_ones_and_gives_its_own_back()
    {
        var unproved = new SourcePlaces(10, 10);
        var proved = new ProvedPlaces(2);
        HttpPlace one = Http(unproved, proved, "one");
        Assert.Equal(1, unproved.Count);
        Assert.True(one.TryBegin(new ShareOwner("t", "a"), isAdministrator: false));
        Assert.True(one.TryBegin(new ShareOwner("t", "a"), isAdministrator: false));
        Assert.Equal((0, 1), (unproved.Count, proved.Count));
        HttpPlace two = Http(unproved, proved, "two");
        Assert.False(two.TryBegin(new ShareOwner("t", "a"), isAdministrator: false));
        Assert.Equal((1, 1), (unproved.Count, proved.Count));
        one.End();
        one.End();
        Assert.True(two.TryBegin(new ShareOwner("t", "a"), isAdministrator: false));
        Assert.Equal(["one"], _gone);
        one.Dispose();
        two.Dispose();
        Assert.False(two.TryBegin(new ShareOwner("t", "a"), isAdministrator: false));
        Assert.Equal((0, 0), (unproved.Count, proved.Count));
    }

    [Fact]
    public void A_ledger_gives_back_what_was_taken_and_keeps_no_entry()
    {
        var ledger = new ShareLedger(100);
        var owner = new ShareOwner("t", "a");
        // One thing fits an empty share, whatever it is, if there is room for it at all.
        Assert.Equal(ShareBound.None, ledger.Judge(owner, 90));
        Assert.Equal(ShareBound.All, ledger.Judge(owner, 101));
        ledger.Add(owner, 40);
        Assert.Equal(ShareBound.None, ledger.Judge(owner, 10));
        Assert.Equal(ShareBound.Token, ledger.Judge(owner, 11));
        Assert.Equal(ShareBound.Application, ledger.Judge(new ShareOwner("u", "a"), 36));
        Assert.Equal(ShareBound.None, ledger.Judge(new ShareOwner("u", null), 60));
        ledger.Add(owner, -40);
        Assert.Equal((0L, 0L), (ledger.Sum, ledger.Of("t")));
    }

    private HttpPlace Http(SourcePlaces unproved, ProvedPlaces proved, string name) =>
        new(Source, unproved, proved, TimeSpan.FromMinutes(1), () => _gone.Add(name), () => { });

    private void Idle(ProvedPlaces places, string token, string? application, string name) =>
        Busy(places, token, application, name)!.End();

    private ProvedPlaces.Place? Busy(ProvedPlaces places, string token, string? application, string name) =>
        places.TryTake(new ShareOwner(token, application), isAdministrator: false, () => _gone.Add(name));
}
