using System.Management.Automation;
using System.Net;
using System.Reflection;
using Ripple.Admin.Contracts;
using Ripple.Admin.Tests;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Tests.Engine;
using Ripple.Trust;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Tokens, roles and the audit.</summary>
public sealed class RightsTests : CmdletTest
{
    public RightsTests()
    {
        Cluster.Add("orders");
        Cluster.Rights.Add("aaaa", "ci", Role.Admin, "orders").Add("bbbb", "web", Role.Node, "orders", madeBy: "aaaa");
    }

    [Fact]
    public void Tokens_are_read_by_their_id_and_by_their_name()
    {
        Pipeline.Run<GetRippleTokenCommand>(null, new { TokenId = new[] { "aa*", "web", "nobody" } });

        Assert.Equal([("aaaa", "ci"), ("bbbb", "web")], Pipeline.Objects<RippleToken>().Select(t => (t.TokenId, t.Name)));
        Assert.Equal(["admin of orders"], Pipeline.Objects<RippleToken>().First().Roles);
        Assert.Equal(["Ripple.not_found"], Pipeline.ErrorIds);
        Assert.Empty(new TestPipeline().Run<GetRippleTokenCommand>(null, new { State = "Revoked" }).Output);
    }

    [Fact]
    public void A_token_goes_into_a_file_of_its_owner_or_is_a_secret()
    {
        string path = Path.Combine(Directory.CreateTempSubdirectory("ripple-ps-").FullName, "ci.connection");

        Pipeline.Run<NewRippleTokenCommand>(
            "File", new { Application = "orders", Role = "Publisher", Name = "ci2", ExpiresInDays = 7, Path = path });
        Pipeline.Run<NewRippleTokenCommand>("Secret", new { Application = "orders", AsSecureString = true });

        RippleToken[] made = [.. Pipeline.Objects<RippleToken>()];
        Assert.Equal((path, null, "publisher of orders"), (made[0].Path, made[0].ConnectionString, made[0].Roles.Single()));
        Assert.Equal(FakeHost.ConnectionText, new NetworkCredential("", made[1].ConnectionString).Password);
        Assert.Equal(ConnectionString.Parse(FakeHost.ConnectionText).ToString(), ConnectionString.ReadFile(path).ToString());
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
        }

        // A secret that could not be kept is not made.
        int count = Cluster.Rights.Tokens.Count;
        Pipeline.Run<NewRippleTokenCommand>("File", new { Application = "orders", Path = path });
        Pipeline.Run<NewRippleTokenCommand>("File", new { Application = "orders", Path = Path.Combine(path, "in", "a", "file") });
        Assert.Equal(["Ripple.unwritable", "Ripple.unwritable"], Pipeline.ErrorIds);
        Assert.Equal(count, Cluster.Rights.Tokens.Count);
        Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
    }

    [Fact]
    public void A_token_is_revoked_with_what_it_made_which_is_shown_before()
    {
        Pipeline.Run<RemoveRippleTokenCommand>(null, new { PassThru = true }, new { TokenId = "aaaa" });

        Assert.Equal(
            "Revoke the token aaaa, with which end token aaaa, token bbbb, on cluster c1 (host1)",
            Assert.Single(Pipeline.Questions).Description);
        Assert.Equal(["aaaa", "bbbb"], Assert.Single(Pipeline.Objects<RippleEndedRights>()).Tokens);
        Assert.All(Cluster.Rights.Tokens, t => Assert.Equal(TokenState.Revoked, t.State));
    }

    [Fact]
    public void What_a_token_made_is_kept_on_request_and_nothing_ends_when_told_no()
    {
        new TestPipeline { Answer = false }.Run<RemoveRippleTokenCommand>(null, new { TokenId = "aaaa" });
        Assert.All(Cluster.Rights.Tokens, t => Assert.Equal(TokenState.Good, t.State));

        Pipeline.Run<RemoveRippleTokenCommand>(null, new { TokenId = "aaaa", KeepMade = true });

        Assert.Equal([TokenState.Revoked, TokenState.Good], Cluster.Rights.Tokens.Select(t => t.State));
        Assert.Empty(Pipeline.Output);
    }

    [Fact]
    public void Of_a_whole_token_only_the_id_is_sent()
    {
        var secret = AccessTokenSecret.New();
        Cluster.Rights.Add(secret.Id, "", Role.Node, "orders");

        Pipeline.Run<RemoveRippleTokenCommand>(null, new { TokenId = secret.Reveal() });

        Assert.Equal(TokenState.Revoked, Cluster.Rights.Tokens[^1].State);
        Assert.DoesNotContain(Cluster.Asked, a => a.Contains(secret.Reveal(), StringComparison.Ordinal));
    }

    [Fact]
    public void A_role_is_given_read_and_taken_away()
    {
        Pipeline.Run<GrantRippleRoleCommand>(
            null, new { TokenId = "bbbb", Application = "stock", Role = "Publisher", PassThru = true, Outlive = true });
        Assert.Equal((Role.Publisher, "stock"), Pipeline.Objects<RippleRole>().Select(r => (r.Role, r.Application)).Single());
        Assert.Contains("PUT /v1/roles/bbbb/stock?outlives=true", Cluster.Asked);

        TestPipeline read = new TestPipeline().Run<GetRippleRoleCommand>(null, null, new { TokenId = "bb*" });
        Assert.Equal(["orders", "stock"], read.Objects<RippleRole>().Select(r => r.Application).Order(StringComparer.Ordinal));

        var taken = new TestPipeline();
        taken.Run<RevokeRippleRoleCommand>(null, new { PassThru = true }, [.. read.Output.OfType<object>()]);
        Assert.Empty(taken.Errors);
        Assert.Equal(
            ["orders", "stock"],
            taken.Objects<RippleEndedRights>().SelectMany(e => e.Roles).Select(r => r.Application).Order(StringComparer.Ordinal));
        Assert.Empty(Cluster.Rights.Tokens[1].Roles);
    }

    [Fact]
    public void The_audit_is_read_by_application_action_and_time()
    {
        Cluster.Rights.AddAudit("token.create", null, 1);
        Cluster.Rights.AddAudit("release.publish", "orders", 2);
        Cluster.Rights.AddAudit("release.rollback", "orders", 3);

        Assert.Equal([3L, 2L, 1L], Audit(null));
        Assert.Equal([3L, 2L], Audit(new { Application = "orders" }));
        Assert.Equal([1L], Audit(new { Action = "token.*" }));
        Assert.Equal([3L], Audit(new { Action = new[] { "release.*" }, Since = (DateTimeOffset?)DateTimeOffset.UnixEpoch.AddMinutes(3) }));
    }

    [Fact]
    public void What_ends_rights_is_of_high_impact()
    {
        Assert.All([typeof(RemoveRippleTokenCommand), typeof(RevokeRippleRoleCommand)], type =>
        {
            CmdletAttribute cmdlet = type.GetCustomAttribute<CmdletAttribute>()!;
            Assert.Equal((true, ConfirmImpact.High), (cmdlet.SupportsShouldProcess, cmdlet.ConfirmImpact));
        });
    }

    private static long[] Audit(object? parameters) =>
        [.. new TestPipeline().Run<GetRippleAuditCommand>(null, parameters).Objects<RippleAuditEntry>().Select(e => e.Number)];
}
