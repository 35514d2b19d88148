using System.Net;
using System.Text;
using Microsoft.Extensions.Time.Testing;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Admin.Tests.Http;

/// <summary>Streams that break: they are asked for again, after a pause, and what was told is not told again.</summary>
public sealed class EventStreamTests : IDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly EndingHost _host = new();
    private readonly RippleAdminClient _client;

    public EventStreamTests() => _client = new RippleAdminClient(
        ConnectionString.Parse(FakeHost.ConnectionText), new RippleAdminOptions { Time = _time }, _host);

    public void Dispose()
    {
        _client.Dispose();
        _host.Dispose();
    }

    [Fact]
    public async Task A_host_that_ends_each_answer_at_once_is_asked_a_few_times_a_second_and_not_without_end()
    {
        await using IAsyncEnumerator<MonitorPoint> points = _client.MonitorAsync(
            "shop", "safe", TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await points.MoveNextAsync();
        Task<bool> next = points.MoveNextAsync().AsTask();
        TimeSpan advanced = TimeSpan.Zero;
        // The host says the first point four times before it has another.
        while (!next.IsCompleted)
        {
            _time.Advance(TimeSpan.FromMilliseconds(10));
            advanced += TimeSpan.FromMilliseconds(10);
            await Task.Yield();
        }

        Assert.True(await next);
        Assert.Equal((2UL, EndingHost.AnswersPerPoint + 1), (points.Current.Release, _host.AskedCount));
        Assert.True(advanced >= TimeSpan.FromMilliseconds(200 * EndingHost.AnswersPerPoint), $"asked again after {advanced}");
    }

    /// <summary>Answers with one point, and ends the answer.</summary>
    private sealed class EndingHost : HttpMessageHandler
    {
        public const int AnswersPerPoint = 4;

        private int _askedCount;

        public int AskedCount => Volatile.Read(ref _askedCount);

        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            int release = 1 + ((Interlocked.Increment(ref _askedCount) - 1) / AnswersPerPoint);
            var response = new HttpResponseMessage(HttpStatusCode.OK)
            {
                Content = new StringContent(
                    $"event: point\ndata: {{\"generation\":1,\"version\":0,\"release\":{release}}}\n\n",
                    Encoding.UTF8,
                    "text/event-stream"),
            };
            return Task.FromResult(response);
        }
    }
}
