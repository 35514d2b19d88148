using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.PowerShell.Tests.Engine;

namespace Ripple.PowerShell.Tests.RealHost;

/// <summary>The cmdlets against a real host, over TLS, with real nodes.</summary>
[Collection("connection")]
public sealed class RealHostTests : IAsyncLifetime
{
    private const string Json = "{ \"n\": 1 }";
    private const string Good = "{ \"it\": \"good\" }";
    private const string Bad = "{ \"it\": \"bad\" }";

    private readonly CancellationTokenSource _limit =
        CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
    private RealCluster _cluster = null!;

    public async ValueTask InitializeAsync()
    {
        _limit.CancelAfter(TimeSpan.FromMinutes(10));
        _cluster = await RealCluster.StartAsync(_limit.Token);
        RippleConnection connection = Assert.Single(
            Run<ConnectRippleCommand>("File", new { Path = _cluster.AdminConnection }).Objects<RippleConnection>());
        Assert.Contains("admin of *", connection.Roles);
    }

    public async ValueTask DisposeAsync()
    {
        RippleSession.Use(null);
        await _cluster.DisposeAsync();
        _limit.Dispose();
    }

    [Fact]
    public void A_release_is_planned_published_followed_read_and_undone()
    {
        var asked = new TestPipeline { Answer = false };
        asked.Run<PublishRippleReleaseCommand>(null, new { Application = RealCluster.Application, Key = "a.json", Value = Json });
        Assert.Matches(
            @"^Publish to shop on cluster [0-9a-f]{8} \(.+\), expecting release 0: a.json added; reaches 2 nodes: web-1",
            asked.Questions.Single().Description);

        TestPipeline published = Run<PublishRippleReleaseCommand>(
            null,
            new { Application = RealCluster.Application, Key = "a.json", Value = Json, Note = "first", Wait = true, PassThru = true });
        Assert.Equal(100, published.Progress[^1].PercentComplete);
        Assert.Equal((Json, Json), (_cluster.Text(0, "a.json"), _cluster.Text(1, "a.json")));
        RipplePublished first = Assert.Single(published.Objects<RipplePublished>());

        RippleRelease release = Assert.Single(
            Run<GetRippleReleaseCommand>(null, null, new { first.Application, first.Release }).Objects<RippleRelease>());
        Assert.Equal(("first", first.Id, "a.json"), (release.Note, release.Id, release.Set.Single()));
        RippleConfigValue value = Assert.Single(
            Run<GetRippleConfigCommand>(null, new { Application = "SH*", Key = "A*" }).Objects<RippleConfigValue>());
        Assert.Equal(("a.json", Json, true, first.Release), (value.Key, value.Value, value.IsJson, value.Release));
        Assert.Equal(
            ["web-1", "web-2"],
            Run<GetRippleNodeCommand>(
                null, new { Application = RealCluster.Application }).Objects<RippleNode>().Select(n => n.Name).Order());

        Run<PublishRippleReleaseCommand>(null, new { Application = RealCluster.Application, Key = "b", Value = "2" });
        Run<UndoRippleReleaseCommand>("Release", new { Wait = true }, new { Application = RealCluster.Application, Release = 2UL });
        Assert.Equal((Json, null), (_cluster.Text(0, "a.json"), _cluster.Text(0, "b")));
    }

    [Fact]
    public void A_release_that_a_node_rejects_is_an_error_that_says_why()
    {
        Run<PublishRippleReleaseCommand>(null, new { Application = RealCluster.Application, Key = "a.json", Value = Good, Wait = true });

        var bad = new TestPipeline();
        bad.Run<PublishRippleReleaseCommand>(
            null, new { Application = RealCluster.Application, Key = "a.json", Value = Bad, Wait = true, TimeoutSeconds = 300 });

        Assert.Equal(["Ripple.cannot_hold"], bad.ErrorIds);
        Assert.Contains("web-2", bad.Errors[0].Exception.Message, StringComparison.Ordinal);
        Assert.Contains("it says bad", bad.Errors[0].Exception.Message, StringComparison.Ordinal);
        // The other one has it in effect, and says so a moment later: the wait ended with the first that rejected it.
        RippleNode[] nodes;
        do
        {
            nodes = [.. Run<GetRippleNodeCommand>(null, new { Application = RealCluster.Application }).Objects<RippleNode>()];
            _limit.Token.ThrowIfCancellationRequested();
        }
        while (!nodes.Any(n => n.Name == "web-1" && n.Applied == 2));
        RippleNode behind = Assert.Single(
            Run<GetRippleNodeCommand>(null, new { Application = RealCluster.Application, BehindRelease = 2UL }).Objects<RippleNode>());
        Assert.Equal(("web-2", 1UL, 2UL, "it says bad"), (behind.Name, behind.Applied, behind.Rejected, behind.Reason));
        Assert.Equal((Bad, Good), (_cluster.Text(0, "a.json"), _cluster.Text(1, "a.json")));
    }

    [Fact]
    public void What_the_host_refuses_has_its_code()
    {
        Assert.Equal(
            ["Ripple.invalid_json"],
            Failing<PublishRippleReleaseCommand>(null, new { Application = RealCluster.Application, Key = "a.json", Value = "{" }));
        Assert.Equal(
            ["Ripple.wrong_expected_release"],
            Failing<PublishRippleReleaseCommand>(
                null, new { Application = RealCluster.Application, Key = "a", Value = Json, ExpectedRelease = "7" }));
        Assert.Equal(
            ["Ripple.unknown_application"],
            Failing<PublishRippleReleaseCommand>(null, new { Application = "nowhere", Key = "a", Value = Json }));
        Run<PublishRippleReleaseCommand>(null, new { Application = RealCluster.Application, Key = "a", Value = "1" });
        Assert.Equal(
            ["Ripple.invalid_predicate"],
            Failing<WaitRippleReleaseCommand>(null, new { Application = RealCluster.Application, Release = 1UL, Predicate = "LEAST(x)" }));
        Assert.Equal(
            ["Ripple.not_found"], Failing<GetRippleReleaseCommand>(null, new { Application = RealCluster.Application, Release = 99UL }));
    }

    [Theory]
    [InlineData("Present", 2)]
    [InlineData("Silent", 0)]
    [InlineData("Left", 0)]
    [InlineData("Failed", 0)]
    public void Nodes_are_selected_by_their_state(string state, int count) => Assert.Equal(
        count, Run<GetRippleNodeCommand>(null, new { Application = RealCluster.Application, State = state }).Output.Count);

    [Fact]
    public void Who_has_a_release_is_counted_though_the_wait_ends_as_it_begins()
    {
        Run<PublishRippleReleaseCommand>(null, new { Application = RealCluster.Application, Key = "a.json", Value = Good, Wait = true });
        new TestPipeline().Run<PublishRippleReleaseCommand>(
            null, new { Application = RealCluster.Application, Key = "a.json", Value = Bad, Wait = true });
        while (_cluster.Text(0, "a.json") != Bad
            || Run<GetRippleNodeCommand>(null, new { Application = RealCluster.Application, BehindRelease = 2UL }).Output.Count != 1)
        {
            _limit.Token.ThrowIfCancellationRequested();
        }

        var again = new TestPipeline();
        again.Run<WaitRippleReleaseCommand>(null, new { Application = RealCluster.Application, Release = 2UL });

        RippleWaitResult result = Assert.Single(again.Objects<RippleWaitResult>());
        Assert.Equal((WaitOutcome.CannotHold, 1, 2), (result.Outcome, result.Holding, result.Total));
    }

    [Fact]
    public void An_administrators_day()
    {
        RippleConnection admin = RippleSession.Default!;
        Run<NewRippleApplicationCommand>(null, new { Application = "fresh" });
        Run<PublishRippleReleaseCommand>(null, new { Application = RealCluster.Application, Key = "a.json", Value = Json });
        RippleEdit edit = Assert.Single(Run<SetRippleValueCommand>(
            "Value",
            new { Application = RealCluster.Application, Key = "a.json", Pointer = "/n", Value = (object)2, PassThru = true, Wait = true })
            .Objects<RippleEdit>());
        Assert.Equal(("1", "2", "{ \"n\": 2 }"), (edit.Before, edit.After, _cluster.Text(0, "a.json")));

        string folder = Directory.CreateTempSubdirectory("ripple-ps-").FullName;
        string archive = Path.Combine(folder, "shop.zip");
        Run<ExportRippleConfigCommand>(null, new { Application = RealCluster.Application, Path = archive, Release = (ulong?)1UL });
        Run<ImportRippleConfigCommand>(null, new { Application = "fresh", Path = archive });
        RippleDifference difference = Assert.Single(
            Run<CompareRippleReleaseCommand>(null, new { Application = "fresh", From = 0UL }).Objects<RippleDifference>());
        Assert.Equal(("a.json", KeyChangeKind.Added, Json), (difference.Key, difference.Change, difference.After));

        RippleToken token = Assert.Single(
            Run<NewRippleTokenCommand>("File", new { Application = "fresh", Name = "ci", Path = Path.Combine(folder, "ci.connection") })
                .Objects<RippleToken>());
        Run<GrantRippleRoleCommand>(null, new { token.TokenId, Application = "fresh", Role = "Publisher" });
        RippleConnection ci = Assert.Single(Run<ConnectRippleCommand>("File", new { token.Path }).Objects<RippleConnection>());
        Run<PublishRippleReleaseCommand>(null, new { Application = "fresh", Key = "by-ci", Value = "1", Connection = ci });
        Run<RevokeRippleRoleCommand>(
            null,
            new { Connection = admin },
            [.. Run<GetRippleRoleCommand>(null, new { token.TokenId, Connection = admin }).Objects<RippleRole>()]);
        Run<RemoveRippleTokenCommand>(null, new { token.TokenId, Connection = admin });
        var refused = new TestPipeline();
        refused.Run<PublishRippleReleaseCommand>(null, new { Application = "fresh", Key = "by-ci", Value = "2", Connection = ci });

        Assert.Equal(["Ripple.unauthenticated"], refused.ErrorIds);
        string own = Run<GetRippleRoleCommand>(null, new { Connection = admin }).Objects<RippleRole>().Single(
            r => r.Application == "*" && r.Role == Role.Admin).TokenId;
        var last = new TestPipeline();
        last.Run<RevokeRippleRoleCommand>(null, new { TokenId = own, Application = "*", Connection = admin });
        last.Run<RemoveRippleTokenCommand>(null, new { TokenId = own, Connection = admin });
        Assert.Equal(["Ripple.invalid_request", "Ripple.invalid_request"], last.ErrorIds);
        Assert.Equal(
            ["token.revoke"],
            Run<GetRippleAuditCommand>(null, new { Action = "token.revoke", Connection = admin }).Objects<RippleAuditEntry>()
                .Select(e => e.Action));
        Assert.Equal(
            [1UL, 2UL],
            Run<WatchRippleReleaseCommand>(
                null,
                new { Application = "fresh", After = (ulong?)0UL, IntervalSeconds = 1, TimeoutSeconds = (int?)1, Connection = admin })
                .Objects<RippleRelease>().Select(r => r.Release));
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void Completers_offer_what_there_is()
    {
        Run<PublishRippleReleaseCommand>(null, new { Application = RealCluster.Application, Key = "a.json", Value = Json });
        var bound = new System.Collections.Hashtable { ["Application"] = RealCluster.Application };

        Assert.Equal(
            [RealCluster.Application],
            new ApplicationCompleter().CompleteArgument("", "", "s", null!, bound).Select(c => c.CompletionText));
        Assert.Equal(["a.json"], new KeyCompleter().CompleteArgument("", "", "a", null!, bound).Select(c => c.CompletionText));
        Assert.Equal(
            ["web-1", "web-2"], new NodeCompleter().CompleteArgument("", "", "web", null!, bound).Select(c => c.CompletionText).Order());
    }

    private static TestPipeline Run<T>(string? parameterSet, object? parameters, params object[] items)
        where T : PSCmdlet, IDisposable, new()
    {
        TestPipeline pipeline = new TestPipeline().Run<T>(parameterSet, parameters, items);
        Assert.True(
            pipeline.Errors.Count == 0,
            string.Join('\n', pipeline.Errors.Select(e => $"{e.FullyQualifiedErrorId}: {e.Exception.Message}")));
        return pipeline;
    }

    private static string[] Failing<T>(string? parameterSet, object? parameters)
        where T : PSCmdlet, IDisposable, new() => [.. new TestPipeline().Run<T>(parameterSet, parameters).ErrorIds];
}
