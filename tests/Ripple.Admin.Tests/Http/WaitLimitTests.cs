using Microsoft.Extensions.Time.Testing;
using Ripple.Admin.Contracts;
using Ripple.Trust;
using static Ripple.Admin.Tests.FakeHost;

namespace Ripple.Admin.Tests.Http;

/// <summary>A wait on a host that died without a word ends.</summary>
public sealed class WaitLimitTests : IDisposable
{
    private readonly FakeHost _host = new();
    private readonly FakeTimeProvider _time = new();
    private readonly RippleAdminClient _client;
    private readonly FakeWait _wait;

    public WaitLimitTests()
    {
        _client = new RippleAdminClient(ConnectionString.Parse(ConnectionText), new RippleAdminOptions { Time = _time }, _host);
        _wait = _host.AddWait();
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _client.Dispose();
        _host.Dispose();
    }

    [Fact]
    public async Task A_host_that_says_nothing_for_thirty_seconds_is_given_up()
    {
        _wait.Progress(1, 3);

        RippleAdminException failure = await Assert.ThrowsAsync<RippleAdminException>(
            () => WaitAsync(TimeSpan.FromHours(1), () => _time.Advance(TimeSpan.FromSeconds(31))));

        Assert.Equal(AdminFailure.Unreachable, failure.Failure);
        Assert.Contains("The host said nothing for 30 s of the wait for release 7 of 'shop'", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_that_says_something_in_time_is_not_given_up()
    {
        int heard = 0;
        _wait.Progress(0, 3);

        // Each event is said when the one before was heard, twenty seconds later.
        WaitResult result = await WaitAsync(TimeSpan.FromHours(1), () =>
        {
            _time.Advance(TimeSpan.FromSeconds(20));
            if (++heard < 5)
            {
                _wait.Progress(heard, 9);
            }
            else
            {
                _wait.End(new WaitResult(WaitOutcome.Held, string.Empty, 3, [], []));
            }
        });

        Assert.Equal((WaitOutcome.Held, 5), (result.Outcome, heard));
    }

    [Fact]
    public async Task A_host_that_talks_on_without_a_result_is_given_up()
    {
        int heard = 0;
        _wait.Progress(0, 3);

        RippleAdminException failure = await Assert.ThrowsAsync<RippleAdminException>(() => WaitAsync(TimeSpan.FromSeconds(60), () =>
        {
            _time.Advance(TimeSpan.FromSeconds(20));
            _wait.Progress(++heard, 9);
        }));

        Assert.Equal(AdminFailure.Unreachable, failure.Failure);
        Assert.Contains("no result 30 s after its end", failure.Message, StringComparison.Ordinal);
        Assert.Equal(5, heard);
    }

    [Fact]
    public async Task A_caller_that_gives_up_is_told_so()
    {
        using var cancel = CancellationTokenSource.CreateLinkedTokenSource(Token);
        Task<WaitResult> wait = _client.WaitAsync("shop", 7, "MIN($ALL.applied)", TimeSpan.FromHours(1), cancellationToken: cancel.Token);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);
    }

    private Task<WaitResult> WaitAsync(TimeSpan timeout, Action onProgress) =>
        _client.WaitAsync("shop", 7, "MIN($ALL.applied)", timeout, new Heard(onProgress), Token);

    private sealed class Heard(Action onHeard) : IProgress<WaitProgress>
    {
        public void Report(WaitProgress value) => onHeard();
    }
}
