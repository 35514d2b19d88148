using System.Net;
using Microsoft.Extensions.Time.Testing;
using Ripple.Engine.Links;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Api;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>Who guesses at the admin API is counted and told, and cannot fill the log.</summary>
public sealed class WrongCredentialTests
{
    [Fact]
    public async Task Wrong_credentials_are_told_with_their_address_and_seldom()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        HttpClient guess = harness.Http("0123456789abcdef.nothing");
        for (int i = 0; i < 20; i++)
        {
            HttpResponseMessage answer = await guess.GetAsync(new Uri("/v1/applications", UriKind.Relative), ApiHarness.Cancel);
            Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
        }

        string[] lines = [.. harness.Host.Logs.Lines.Where(l => l.Id == LogEvents.WrongCredential).Select(l => l.Text)];
        Assert.InRange(lines.Length, 1, 5);
        Assert.Contains("from 127.0.0.1; 1 since", lines[0], StringComparison.Ordinal);
        Assert.Contains(
            harness.Host.Logs.Lines,
            l => l.Id == LogEvents.SqliteVersion && l.Text.Contains("SQLite 3.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Wrong_tokens_and_certificates_are_told_by_the_door_they_came_to()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        ConnectionString client = harness.Host.Client;
        ConnectOutcome enrolment = await harness.Host.ConnectAsync(
            ConnectionFile.Make(client.Endpoints, client.Authority, AccessTokenSecret.New(), "shop"));
        Assert.Equal(LinkConnectFailure.Refused, enrolment.Failure);
        using var stranger = ClusterAuthority.Create();
        await harness.Host.ConnectAsync(client, o => o with { Certificate = ControlHarness.NodeOf(stranger), Token = null });

        Assert.Contains(harness.Host.Logs.Lines, l => IsTold(l.Text, "came to the enrolment from 127.0.0.1; 1 since"));
        Assert.Contains(harness.Host.Logs.Lines, l => IsTold(l.Text, "came to the control channel from 127.0.0.1; 1 since"));

        static bool IsTold(string text, string what) => text.Contains(what, StringComparison.Ordinal);
    }

    [Fact]
    public void One_line_in_a_while_says_how_many_there_were()
    {
        using var logs = new LineLogs();
        var time = new FakeTimeProvider();
        var wrong = new WrongCredentials(logs, "the door", time);
        for (int i = 0; i < 1_000; i++)
        {
            wrong.Add("192.0.2.1");
        }

        Assert.Equal((1_000, 1), (wrong.Count, logs.Lines.Count));
        time.Advance(WrongCredentials.LineInterval);
        wrong.Add("192.0.2.2");
        Assert.Equal(2, logs.Lines.Count);
        Assert.Contains("from 192.0.2.2; 1000 since", logs.Lines.Last().Text, StringComparison.Ordinal);
    }
}
