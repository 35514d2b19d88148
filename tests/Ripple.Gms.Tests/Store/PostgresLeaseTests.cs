using Npgsql;
using Ripple.Gms.Store.Postgres;
using Ripple.Gms.Tests.Endpoint;

namespace Ripple.Gms.Tests.Store;

/// <summary>The lease of a store in a database: one holder at a time, by the database's clock.</summary>
public sealed class PostgresLeaseTests
{
    private const int LongMs = 600_000;
    private readonly PostgresAddress _address;

    public PostgresLeaseTests(PostgresTestServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        server.StartOrSkip();
        _address = server.Address(server.MakeDatabase());
    }

    [Fact]
    public void One_takes_it_and_the_others_are_told_who()
    {
        using PostgresLease one = PostgresLease.Open(_address);
        using PostgresLease two = PostgresLease.Open(_address);
        LeaseHolder a = Holder("a");
        Assert.Equal(a, one.Take(a, LongMs).Holder);
        Assert.Equal(a, two.Take(Holder("b"), LongMs).Holder);
        Assert.Equal(a, one.Take(a, LongMs).Holder);
        Assert.True(one.TryRenew(a with { Endpoint = "a:2" }, LongMs));
        Assert.Equal("a:2", two.Take(Holder("b"), LongMs).Holder.Endpoint);
    }

    [Fact]
    public void Of_many_that_ask_at_once_when_it_has_ended_one_gets_it()
    {
        using (PostgresLease former = PostgresLease.Open(_address))
        {
            former.Take(Holder("former"), 1);
        }

        LeaseHolder[] asking = [.. Enumerable.Range(0, 8).Select(i => Holder($"host-{i}"))];
        var answers = new LeaseHolder[asking.Length];
        Parallel.For(0, asking.Length, i =>
        {
            do
            {
                answers[i] = Ask(asking[i]);
            }
            while (answers[i].Name == "former");
        });
        Assert.Single(answers.Distinct());
        Assert.Contains(answers[0], asking);

        // As a host does: a question that a slow disk leaves without an answer in time is asked anew, and may have been granted.
        LeaseHolder Ask(LeaseHolder holder)
        {
            while (true)
            {
                try
                {
                    using PostgresLease session = PostgresLease.Open(_address);
                    return session.Take(holder, LongMs).Holder;
                }
                catch (NpgsqlException e) when (e.InnerException is TimeoutException)
                {
                }
            }
        }
    }

    [Fact]
    public async Task When_it_has_ended_another_takes_it_and_the_former_holder_does_not_renew_it()
    {
        using PostgresLease one = PostgresLease.Open(_address);
        using PostgresLease two = PostgresLease.Open(_address);
        (LeaseHolder a, LeaseHolder b) = (Holder("a"), Holder("b"));
        one.Take(a, 20);
        await ControlHarness.UntilAsync(() => two.Take(b, LongMs).Holder == b, "the lease of the former holder has ended");
        Assert.False(one.TryRenew(a, LongMs));
        Assert.Equal(b, one.Take(a, LongMs).Holder);
    }

    [Fact]
    public void One_that_has_ended_and_that_nobody_took_is_renewed()
    {
        using PostgresLease one = PostgresLease.Open(_address);
        LeaseHolder a = Holder("a");
        one.Take(a, 0);
        Assert.True(one.TryRenew(a, LongMs));
    }

    [Fact]
    public void One_that_was_given_back_is_taken_at_once_and_nobody_gives_back_that_of_another()
    {
        using PostgresLease one = PostgresLease.Open(_address);
        using PostgresLease two = PostgresLease.Open(_address);
        (LeaseHolder a, LeaseHolder b) = (Holder("a"), Holder("b"));
        one.Take(a, LongMs);
        two.Return(b);
        Assert.Equal(a, two.Take(b, LongMs).Holder);
        one.Return(a);
        Assert.Equal(b, two.Take(b, LongMs).Holder);
    }

    private static LeaseHolder Holder(string name) => new(Guid.NewGuid(), name, name + ":1");
}
