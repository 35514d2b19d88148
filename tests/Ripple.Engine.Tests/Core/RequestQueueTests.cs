using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class RequestQueueTests
{
    [Theory]
    [InlineData(1, 2)]
    [InlineData(2, 2)]
    [InlineData(3, 4)]
    [InlineData(64, 64)]
    public void A_full_door_refuses_and_keeps_what_it_has(int asked, int capacity)
    {
        CoreLoop core = Cores.Make(new CoreOptions { RequestsMax = asked });
        Assert.Equal(capacity, core.Requests.Capacity);
        var ran = new List<int>();
        for (int round = 0; round < 3; round++)
        {
            ran.Clear();
            for (int i = 0; i < capacity; i++)
            {
                int number = i;
                Assert.True(core.Requests.TryPost(new ActionRequest(() => ran.Add(number))));
            }

            Assert.False(core.Requests.TryPost(new ActionRequest(() => ran.Add(-1))));
            Assert.False(core.Requests.IsEmpty);
            core.DoWork(round);
            Assert.Equal(Enumerable.Range(0, capacity), ran);
            Assert.True(core.Requests.IsEmpty);
        }
    }

    [Fact]
    public void A_door_without_room_is_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => Cores.Make(new CoreOptions { RequestsMax = 0 }));
    }

    [Fact]
    public void Every_post_wakes_and_a_refused_one_does_not()
    {
        CoreLoop core = Cores.Make(new CoreOptions { RequestsMax = 2 });
        var waker = new CountingWaker();
        core.Requests.SetWaker(waker);
        var request = new ActionRequest(() => { });
        core.Requests.TryPost(request);
        core.Requests.TryPost(request);
        core.Requests.TryPost(request);
        Assert.Equal(2, waker.Count);
        core.Requests.SetWaker(null);
        core.DoWork(1);
        Assert.True(core.Requests.TryPost(request));
        Assert.Equal(2, waker.Count);
    }

    [Fact]
    public void A_request_may_post_another_and_one_turn_runs_a_bounded_number()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoQuantum = 32 });
        int ran = 0;
        void Again()
        {
            ran++;
            core.Requests.TryPost(new ActionRequest(Again));
        }

        core.Requests.TryPost(new ActionRequest(Again));
        core.DoWork(1);
        Assert.Equal(32, ran);
        Assert.Equal(1, core.NextDueNs);
    }

    [Fact]
    public async Task Many_producers_lose_nothing_and_keep_their_order()
    {
        const int producers = 4;
        const int each = 50_000;
        CoreLoop core = Cores.Make(new CoreOptions { RequestsMax = 128 });
        int[] next = new int[producers];
        int misplaced = 0;
        int refused = 0;
        Task[] posting = [.. Enumerable.Range(0, producers).Select(producer => Task.Run(() =>
        {
            for (int i = 0; i < each; i++)
            {
                int number = i;
                var request = new ActionRequest(() => misplaced += next[producer]++ == number ? 0 : 1);
                while (!core.Requests.TryPost(request))
                {
                    Interlocked.Increment(ref refused);
                    Thread.Yield();
                }
            }
        }))];

        long turn = 0;
        while (next.Sum() < producers * each && posting.All(task => !task.IsFaulted))
        {
            core.DoWork(++turn);
        }

        await Task.WhenAll(posting);
        core.DoWork(++turn);
        Assert.Equal(0, misplaced);
        Assert.All(next, count => Assert.Equal(each, count));
        Assert.True(core.Requests.IsEmpty);
        Assert.Equal(producers * each, core.Counters.Requests);
    }

    private sealed class CountingWaker : IWaker
    {
        public int Count { get; private set; }

        public void Wake() => Count++;
    }
}
