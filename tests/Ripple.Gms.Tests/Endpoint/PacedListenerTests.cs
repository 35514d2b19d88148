using System.Net;
using System.Threading.RateLimiting;
using Microsoft.AspNetCore.Connections;
using Ripple.Gms.Endpoint;

namespace Ripple.Gms.Tests.Endpoint;

/// <summary>A crowd comes at a bounded rate, and others as they come.</summary>
public sealed class PacedListenerTests
{
    private static readonly IPEndPoint Crowd = new(IPAddress.Parse("10.0.0.1"), 1);
    private static readonly IPEndPoint Other = new(IPAddress.Parse("10.0.0.2"), 1);

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Who_is_no_crowd_takes_no_tokens()
    {
        await using PacedListener listener = Make([Other, Other, Other, Crowd]);
        for (int i = 0; i < 4; i++)
        {
            Assert.NotNull(await listener.AcceptAsync(Cancel));
        }

        Assert.Null(await listener.AcceptAsync(Cancel));
    }

    [Fact]
    public async Task A_crowd_waits_for_its_tokens_and_what_waits_ends_with_the_listener()
    {
        await using PacedListener listener = Make([Crowd, Crowd, Crowd]);
        Assert.NotNull(await listener.AcceptAsync(Cancel));
        Assert.NotNull(await listener.AcceptAsync(Cancel));
        using var stopping = CancellationTokenSource.CreateLinkedTokenSource(Cancel);
        Task<ConnectionContext?> third = listener.AcceptAsync(stopping.Token).AsTask();
        Assert.False(third.IsCompleted);
        await stopping.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => third);
    }

    [Fact]
    public void A_source_that_has_all_its_silent_places_is_a_crowd_and_so_is_everybody_when_all_places_are_taken()
    {
        var places = new SourcePlaces(max: 3, silentPerSourceMax: 2);
        SourceAddress crowd = SourceAddress.Of(Crowd);
        SourceAddress other = SourceAddress.Of(Other);
        SourcePlaces.Place first = places.Take(crowd, () => { });
        Assert.False(places.IsCrowd(crowd));
        places.Take(crowd, () => { });
        Assert.Equal((true, false), (places.IsCrowd(crowd), places.IsCrowd(other)));
        first.Greet();
        Assert.False(places.IsCrowd(crowd));
        places.Take(other, () => { });
        Assert.Equal((true, true), (places.IsCrowd(crowd), places.IsCrowd(other)));
    }

    /// <summary>With two tokens, and none for an hour.</summary>
    private static PacedListener Make(IPEndPoint[] from) => new(
        new Listener(from),
        Crowd.Equals,
        new TokenBucketRateLimiter(new TokenBucketRateLimiterOptions
        {
            TokenLimit = 2,
            TokensPerPeriod = 1,
            ReplenishmentPeriod = TimeSpan.FromHours(1),
            AutoReplenishment = false,
            QueueLimit = 0,
        }));

    private sealed class Listener(IPEndPoint[] from) : IConnectionListener
    {
        private int _accepted;

        public EndPoint EndPoint => Other;

        public ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default) =>
            ValueTask.FromResult<ConnectionContext?>(
                _accepted < from.Length ? new DefaultConnectionContext { RemoteEndPoint = from[_accepted++] } : null);

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => default;

        public ValueTask DisposeAsync() => default;
    }
}
