using System.Text.Json;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;
using Ripple.Trust;

namespace Ripple.Cli.Tests.Commands;

public sealed class AdministrationTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Applications_are_created_and_listed()
    {
        string name = $"made-{Guid.NewGuid():N}";

        CliRun created = (await RunAsync("app", "create", name)).Done();
        CliRun text = (await RunAsync("app", "list")).Done();
        JsonElement json = (await RunAsync("app", "list", "-o", "json")).Done().Json;

        Assert.Equal($"{name} created", Assert.Single(created.Lines));
        Assert.Contains(text.Lines, l => l.EndsWith($"  {name}", StringComparison.Ordinal));
        Assert.Contains(json.EnumerateArray(), a => a.GetProperty("name").GetString() == name);
        (await RunAsync("app", "create", name)).Failed(2, name);
        (await RunAsync("app", "create", "Not Good")).Failed(2, "a-z 0-9");
        Assert.Equal(name + "-2", (await RunAsync("app", "create", name + "-2", "-o", "json")).Done().Json.GetProperty("name").GetString());
    }

    [Fact]
    public async Task Tokens_are_made_listed_and_revoked_and_the_secret_is_told_only_when_asked()
    {
        string application = await ApplicationAsync();
        string path = Folder.PathOf("connection");

        CliRun created = (await RunAsync(
            "token", "create", "--application", application, "--role", "publisher", "--name", "ci", "--expires", "30", "--out", path))
            .Done();
        ConnectionString connection = ConnectionString.ReadFile(path);
        string id = connection.Token!.Id;
        string secret = connection.Token.Reveal()[17..];
        CliRun list = (await RunAsync("token", "list")).Done();
        CliRun listJson = (await RunAsync("token", "list", "-o", "json")).Done();
        CliRun revoked = (await RunAsync("token", "revoke", id)).Done();
        CliRun again = (await RunAsync("token", "revoke", id, "-o", "json")).Done();

        Assert.Equal($"{id} written to {path}", Assert.Single(created.Lines));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
        }

        Assert.Contains(
            list.Lines,
            l => l.StartsWith($"{id}  good", StringComparison.Ordinal)
                && l.Contains("ci", StringComparison.Ordinal)
                && l.EndsWith($"publisher of {application}", StringComparison.Ordinal));
        JsonElement listed = Assert.Single(listJson.Json.EnumerateArray(), t => t.GetProperty("tokenId").GetString() == id);
        Assert.Equal("ci", listed.GetProperty("name").GetString());
        Assert.Equal($"{id} revoked", Assert.Single(revoked.Lines));
        Assert.Equal("revoked", again.Json[0].GetProperty("state").GetString());
        Assert.All([created, list, listJson, revoked, again], run => Assert.DoesNotContain(secret, run.Output, StringComparison.Ordinal));
        (await RunAsync("token", "create", "-a", application, "--out", path)).Failed(1, "exists");
        (await RunAsync("token", "create", "-a", application, "--out", Folder.PathOf("no/where"))).Failed(1, "The folder of");
        (await RunAsync("token", "revoke", "0000000000000000")).Failed(2);
    }

    [Fact]
    public async Task What_a_token_made_ends_with_it_and_is_told_before_and_after()
    {
        string application = await ApplicationAsync();
        string path = Folder.PathOf("owner");
        (await RunAsync("token", "create", "-a", application, "--role", "admin", "--out", path)).Done();
        string owner = ConnectionString.ReadFile(path).Token!.Id;
        CliRun created = (await RunAsync(
            "token", "create", "-a", application, "--out", Folder.PathOf("made"), "--connection", path)).Done();
        string made = created.Output.Split(' ')[0];

        CliRun list = (await RunAsync("token", "list")).Done();
        CliRun roles = (await RunAsync("role", "remove", owner, application, "--dry-run")).Done();
        CliRun plan = (await RunAsync("token", "revoke", owner, "--dry-run")).Done();
        JsonElement json = (await RunAsync("token", "revoke", owner, "--dry-run", "-o", "json")).Done().Json;
        CliRun revoked = (await RunAsync("token", "revoke", owner)).Done();

        Assert.Contains(
            list.Lines, l => l.StartsWith($"{made}  good", StringComparison.Ordinal) && l.Contains(owner, StringComparison.Ordinal));
        Assert.Equal(
            [$"token {owner}: admin of {application} would be taken away", $"token {made}: node of {application} would be taken away"],
            roles.Lines);
        Assert.Equal([$"token {owner} would be revoked", $"token {made} would be revoked"], plan.Lines);
        Assert.Equal([owner, made], json.GetProperty("tokens").EnumerateArray().Select(t => t.GetString()));
        Assert.Equal([$"{owner} revoked", $"token {made} was revoked"], revoked.Lines);
        (await RunAsync("token", "revoke", owner, "--dry-run", "--keep-made")).Failed(1, "Give one of the two");
    }

    [Fact]
    public async Task What_a_token_made_stays_with_keep_made()
    {
        string application = await ApplicationAsync("1");
        string path = Folder.PathOf("owner");
        (await RunAsync("token", "create", "-a", application, "--role", "admin", "--out", path)).Done();
        string owner = ConnectionString.ReadFile(path).Token!.Id;
        (await RunAsync("token", "create", "-a", application, "--out", Folder.PathOf("made"), "--connection", path)).Done();

        Assert.Single((await RunAsync("role", "remove", owner, application, "--keep-made")).Done().Lines);
        Assert.Equal([$"{owner} revoked"], (await RunAsync("token", "revoke", owner, "--keep-made")).Done().Lines);

        Assert.Equal("1", (await RunAsync("get", application, "a.txt", "--connection", Folder.PathOf("made"))).Done().Output);
    }

    [Fact]
    public async Task The_last_administrator_of_the_cluster_does_not_end_itself()
    {
        string own = (await RunAsync("whoami", "-o", "json")).Done().Json.GetProperty("tokenId").GetString()!;

        (await RunAsync("role", "remove", own, "*", "--dry-run")).Failed(2, "is the last that administers the cluster");
        (await RunAsync("role", "remove", own, "*")).Failed(2, "Give another the role admin over '*' first");
        (await RunAsync("role", "set", own, "*", "publisher")).Failed(2, "Give another the role admin over '*' first");
        (await RunAsync("token", "revoke", own)).Failed(2, "Give another the role admin over '*' first");

        Assert.Contains("admin", (await RunAsync("whoami")).Done().Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Printed_token_works()
    {
        string application = await ApplicationAsync("1");

        string text = (await RunAsync("token", "create", "-a", application, "--print")).Done().Output.Trim();
        JsonElement json = (await RunAsync("token", "create", "-a", application, "--print", "-o", "json")).Done().Json;

        Assert.Equal("1", (await RunAsync("get", application, "a.txt", "--connection", text)).Done().Output);
        Assert.Equal(
            "1",
            (await RunAsync("get", application, "a.txt", "--connection", json.GetProperty("connectionString").GetString()!)).Done().Output);
        (await RunAsync("token", "create", "-a", application)).Failed(1, "--out FILE, or --print");
        (await RunAsync("token", "create", "-a", application, "--print", "--role", "king")).Failed(1, "node, publisher, admin");
        (await RunAsync("token", "create", "-a", application, "--print", "--expires", "0")).Failed(1, "1 to 3650 days");
    }

    [Fact]
    public async Task Roles_are_set_listed_and_removed()
    {
        string application = await ApplicationAsync("1");
        string other = await ApplicationAsync("2");
        string id = (await RunAsync("token", "create", "-a", application, "--out", Folder.PathOf("c"))).Done().Output.Split(' ')[0];

        CliRun set = (await RunAsync("role", "set", id, other, "publisher")).Done();
        CliRun list = (await RunAsync("role", "list", "--application", other)).Done();
        JsonElement json = (await RunAsync("role", "list", "-o", "json")).Done().Json;
        CliRun removed = (await RunAsync("role", "remove", id, other)).Done();
        JsonElement left = (await RunAsync("role", "remove", id, other, "-o", "json")).Done().Json;

        Assert.Equal($"{id} is publisher of {other}", Assert.Single(set.Lines));
        Assert.Contains(list.Lines, l => l.StartsWith(id, StringComparison.Ordinal) && l.EndsWith("publisher", StringComparison.Ordinal));
        Assert.Equal(2, json.EnumerateArray().Count(r => r.GetProperty("tokenId").GetString() == id));
        Assert.Equal($"{id} has no role in {other} any more", Assert.Single(removed.Lines));
        Assert.Equal(application, Assert.Single(left.EnumerateArray()).GetProperty("application").GetString());
        Assert.Equal(
            "admin", (await RunAsync("role", "set", id, application, "admin", "-o", "json")).Done().Json.GetProperty("role").GetString());
        (await RunAsync("role", "set", id, application, "king")).Failed(1, "node, publisher, admin");
    }

    [Fact]
    public async Task Predicates_get_names_that_waits_take_and_their_history_is_that_of_any_application()
    {
        string application = await ApplicationAsync("1");

        CliRun set = (await RunAsync("predicate", "set", application, "safe", "MIN($REPLICAS.persisted)", "--note", "on disk")).Done();
        CliRun wait = (await RunAsync("wait", application, "1", "safe", "--timeout", "20")).Done();
        CliRun published = (await RunAsync("publish", application, "--text", "b=2", "--wait", "safe")).Done();
        (await RunAsync("predicate", "set", application, "safe", "MIN($HOSTS.persisted)")).Done();
        CliRun list = (await RunAsync("predicate", "list", application)).Done();
        CliRun history = (await RunAsync("history", $"${application}")).Done();
        (await RunAsync("rollback", $"${application}", "1")).Done();
        JsonElement json = (await RunAsync("predicate", "list", application, "-o", "json")).Done().Json;
        (await RunAsync("predicate", "remove", application, "safe")).Done();

        Assert.Equal($"predicate safe set: release 1 of ${application}", Assert.Single(set.Lines));
        Assert.Contains("Held", wait.Output, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("release 2", published.Output, StringComparison.Ordinal);
        Assert.EndsWith("MIN($HOSTS.persisted)", list.Lines[1], StringComparison.Ordinal);
        Assert.Contains(history.Lines, l => l.Contains("on disk", StringComparison.Ordinal));
        Assert.Equal("MIN($REPLICAS.persisted)", json.GetProperty("predicates")[0].GetProperty("text").GetString());
        Assert.Equal(3, json.GetProperty("release").GetInt32());
        (await RunAsync("wait", application, "1", "safe")).Failed(2, $"'{application}' has no predicate 'safe'");
        (await RunAsync("predicate", "set", application, "safe", "MIN(")).Failed(2, "is not one", "At 4");
        (await RunAsync("predicate", "remove", application, "safe")).Failed(2, "changes nothing");
        Assert.DoesNotContain($"${application}", (await RunAsync("app", "list")).Done().Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_space_is_set_shown_and_explained_and_an_event_finds_who_subscribes()
    {
        string application = await ApplicationAsync("1");
        CliRun set = (await RunAsync("space", "set", application, "price:real:0..1000:USD", "volume:integer:0..1e6")).Done();
        CliRun shown = (await RunAsync("space", "show", application)).Done();
        Assert.Equal($"space set: release 1 of ${application}", Assert.Single(set.Lines));
        Assert.Equal(["price:real:0..1000:USD", "volume:integer:0..1e6"], shown.Lines);

        Task<CliRun> subscribing = RunAsync("subscribe", application, "price=10..20", "--count", "1", "--block");
        while ((await RunAsync("space", "show", application, "--explain", "price=15", "-o", "json")).Done().Json
            .GetProperty("count").GetInt32() == 0)
        {
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }

        CliRun explained = (await RunAsync("space", "show", application, "--explain", "price=15")).Done();
        CliRun none = (await RunAsync("space", "show", application, "--explain", "price=20", "-o", "json")).Done();
        CliRun emitted = (await RunAsync("emit", application, "price=15.5", "volume=100", "--text", "sold", "--until", "matched")).Done();
        Assert.EndsWith("yes     price=10..20", explained.Lines[1], StringComparison.Ordinal);
        Assert.Equal(0, none.Json.GetProperty("count").GetInt32());
        Assert.StartsWith("matched, 1 subscribers: ", Assert.Single(emitted.Lines), StringComparison.Ordinal);
        Assert.Equal("price=15.5 volume=100 sold", Assert.Single((await subscribing).Done().Lines));

        CliRun nobody = (await RunAsync("emit", application, "price=15", "volume=1", "-o", "json")).Done();
        Assert.Equal("delivered", nobody.Json.GetProperty("stage").GetString());
        (await RunAsync("emit", application, "price=NaN", "volume=1")).Failed(2, "'price' is NaN");
        (await RunAsync("emit", application, "price=1")).Failed(2, "has no 'volume'");
        (await RunAsync("emit", application, "price=abc", "volume=1")).Failed(2, "'abc', which is no value of the kind real");
        (await RunAsync("emit", application, "price")).Failed(1, "'price' is not NAME=VALUE");
        (await RunAsync("subscribe", application, "colour=1..2")).Failed(2, "which is no dimension of the space");
        (await RunAsync("space", "set", application, "price:money:0..1")).Failed(2, "has no kind");
    }

    [Fact]
    public async Task A_monitor_is_a_line_a_point_and_ends_at_a_release()
    {
        string application = await ApplicationAsync("1");
        (await RunAsync("predicate", "set", application, "safe", "MIN($REPLICAS.persisted)")).Done();

        CliRun first = (await RunAsync("monitor", application, "safe", "--count", "1")).Done();
        Task<CliRun> following = RunAsync("monitor", application, "safe", "--until", "2", "-o", "json");
        (await RunAsync("publish", application, "--text", "b=2")).Done();
        CliRun followed = (await following).Done();

        Assert.Equal("release 1, generation 1, predicate of version 1", Assert.Single(first.Lines));
        Assert.Equal(2, JsonDocument.Parse(followed.Lines[^1]).RootElement.GetProperty("release").GetInt32());
        (await RunAsync("monitor", application, "unsafe")).Failed(2, $"'{application}' has no predicate 'unsafe'. Near: safe.");
        (await RunAsync("monitor", application, "--count", "0")).Failed(1, "1 or more points");
    }

    [Fact]
    public async Task An_external_is_defined_reports_by_a_publisher_and_is_waited_for()
    {
        string application = await ApplicationAsync("1");
        (await RunAsync("level", "set", application, "verified")).Done();
        CliRun set = (await RunAsync("external", "set", application, "bench", "in hall 3")).Done();
        CliRun none = (await RunAsync("external", "list", application)).Done();
        CliRun reported = (await RunAsync("report", application, "1", "verified", "--as", "bench")).Done();
        CliRun again = (await RunAsync("report", application, "1/1", "verified", "--as", "bench", "-o", "json")).Done();
        CliRun list = (await RunAsync("external", "list", application)).Done();
        (await RunAsync("wait", application, "1", "MIN($EXTERNAL_bench.verified)", "--timeout", "20")).Done();

        Assert.Equal($"external bench set: release 2 of ${application}", Assert.Single(set.Lines));
        Assert.Equal(["bench", "-", "in", "hall", "3"], none.Lines[1].Split(' ', StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal("bench has verified of 1/1", Assert.Single(reported.Lines));
        Assert.Equal(1, again.Json.GetProperty("release").GetInt32());
        Assert.Contains("verified 1/1", list.Lines[1], StringComparison.Ordinal);
        (await RunAsync("report", application, "2", "verified", "--as", "bench")).Failed(2, "There is no release 1/2 to report");
        (await RunAsync("report", application, "1", "verified", "--as", "bensh")).Failed(2, "There is no external 'bensh'. Near: bench.");
        (await RunAsync("report", application, "1", "verified")).Failed(1, "--as");
        (await RunAsync("external", "remove", application, "bench")).Done();
        (await RunAsync("wait", application, "1", "MIN($EXTERNAL_bench.verified)", "--timeout", "20")).Failed(2, "the externals are none");
    }

    [Fact]
    public async Task A_level_of_an_applications_own_is_declared_reported_by_a_process_and_waited_for()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient node = await Host.JoinAsync(application, "web-1");
        CancellationToken stop = TestContext.Current.CancellationToken;

        CliRun set = (await RunAsync("level", "set", application, "verified", "its checks have passed")).Done();
        CliRun list = (await RunAsync("level", "list", application)).Done();
        (await RunAsync("predicate", "set", application, "safe", "MIN($ALL.verified)")).Done();
        (await RunAsync("publish", application, "--text", "b=2", "--wait")).Done();
        await node.ReportAsync(application, 2, "verified", stop);
        CliRun wait = (await RunAsync("wait", application, "2", "safe", "--timeout", "20")).Done();

        Assert.Equal($"level verified declared: release 1 of ${application}", Assert.Single(set.Lines));
        Assert.Contains("its checks have passed", list.Lines[1], StringComparison.Ordinal);
        Assert.Contains("held", wait.Output, StringComparison.OrdinalIgnoreCase);
        RippleException refused = await Assert.ThrowsAsync<RippleException>(() => node.ReportAsync(application, 1, "tested", stop));
        Assert.Contains("no level 'tested' of its own; there is verified", refused.Message, StringComparison.Ordinal);
        (await RunAsync("predicate", "set", application, "other", "MIN($ALL.tested)")).Failed(2, "which nobody declared");
    }

    [Fact]
    public async Task Areas_are_set_and_zones_are_listed_with_them()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient node = await Host.JoinAsync(application, "web-1");

        CliRun set = (await RunAsync("area", "set", application, "eu", "eu-1,eu-2")).Done();
        CliRun zones = (await RunAsync("zones", application)).Done();
        CliRun wait = (await RunAsync("publish", application, "--text", "b=2", "--wait", "MIN($AREA(\"eu\").applied)")).Done();
        (await RunAsync("area", "remove", application, "eu")).Done();
        JsonElement json = (await RunAsync("zones", application, "-o", "json")).Done().Json;

        Assert.Equal($"area eu set: release 1 of ${application}", Assert.Single(set.Lines));
        Assert.Equal(["ZONE  NODES  AREAS", "eu-1      1  eu", "eu-2      0  eu"], zones.Lines.Select(l => l.TrimEnd()));
        Assert.Contains("held", wait.Output, StringComparison.OrdinalIgnoreCase);
        Assert.Equal(("eu-1", 1), (json[0].GetProperty("zone").GetString(), json[0].GetProperty("nodes").GetInt32()));
        (await RunAsync("area", "set", application, "eu", "eu 1")).Failed(2, "which is no zone");
    }

    [Fact]
    public async Task Audit_tells_who_did_what()
    {
        string application = await ApplicationAsync("1", "2");

        CliRun text = (await RunAsync("audit", "--application", application)).Done();
        JsonElement json = (await RunAsync("audit", "-a", application, "-n", "1", "-o", "json")).Done().Json;

        Assert.StartsWith("TIME", text.Lines[0], StringComparison.Ordinal);
        Assert.Contains(
            text.Lines, l => l.Contains("publish", StringComparison.Ordinal) && l.Contains(application, StringComparison.Ordinal));
        Assert.Equal(2, Assert.Single(json.EnumerateArray()).GetProperty("release").GetInt32());
        string path = Folder.PathOf("owner");
        (await RunAsync("token", "create", "-a", application, "--role", "admin", "--out", path)).Done();
        CliRun own = (await RunAsync("audit", "--connection", path)).Done();
        Assert.All(own.Lines.Skip(1), l => Assert.Contains(application, l, StringComparison.Ordinal));
        Assert.Contains(own.Lines, l => l.Contains("token.create", StringComparison.Ordinal));
        (await RunAsync("audit", "-n", "0")).Failed(1, "--count takes 1 to");
    }
}
