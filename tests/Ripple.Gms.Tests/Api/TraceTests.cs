using System.Collections.Concurrent;
using System.Diagnostics;
using Ripple.Admin.Contracts;
using Ripple.Client;
using Ripple.Gms.Tests.Endpoint;

namespace Ripple.Gms.Tests.Api;

/// <summary>One trace from a publish to what the nodes do with it.</summary>
public sealed class TraceTests
{
    [Fact]
    public async Task A_change_over_https_and_its_application_at_a_node_are_one_trace()
    {
        var ended = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name is "Ripple.Client" or "Ripple.Gms" or "test",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = ended.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        using var source = new ActivitySource("test");
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await using RippleClient node = await RippleClient.ConnectAsync(
            $"Endpoints={harness.Host.Server.Endpoint};Authority=sha256:"
                + $"{Convert.ToHexStringLower(harness.Host.Client.Authority.Span)};Token={harness.Host.Client.Token!.Reveal()}",
            new RippleClientOptions
            {
                Application = ApiHarness.Shop,
                Name = "node",
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = ControlHarness.Patience,
                AcceptRelease = (_, _) => ValueTask.FromResult(ReleaseDecision.Accept),
            },
            ApiHarness.Cancel);

        await AreOneTraceAsync("ripple.publish", 1, () => harness.Admin.PublishAsync(
            ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: ApiHarness.Cancel));
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), cancellationToken: ApiHarness.Cancel);
        await AreOneTraceAsync("ripple.rollback", 3, () => harness.Admin.RollbackAsync(
            ApiHarness.Shop, new RollbackRequest(1, string.Empty), cancellationToken: ApiHarness.Cancel));

        async Task AreOneTraceAsync(string operation, long release, Func<Task> change)
        {
            ActivityTraceId trace;
            using (Activity root = source.StartActivity("rollout")!)
            {
                trace = root.TraceId;
                await change();
            }

            await harness.Admin.WaitAsync(
                ApiHarness.Shop, (ulong)release, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: ApiHarness.Cancel);
            Activity changed = Assert.Single(ended, a => a.OperationName == operation && a.TraceId == trace);
            Activity applied = Assert.Single(ended, a => a.OperationName == "ripple.apply" && a.TraceId == trace);
            Assert.Equal(changed.SpanId, applied.ParentSpanId);
            Assert.Equal(release, applied.GetTagItem("ripple.release"));
            Assert.Contains(trace.ToString(), node.Current().TraceParent, StringComparison.Ordinal);
        }
    }
}
