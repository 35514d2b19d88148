using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <content>Who made a token or gave a role, and what ends with that right.</content>
public abstract partial class HostStoreContract
{
    [Fact]
    public void What_a_token_made_ends_with_it_in_the_same_batch_and_each_end_is_audited()
    {
        using IHostStore store = Open();
        Make(store, "root", null, ("*", AccessRole.Admin));
        Make(store, "boss", "root", ("shop", AccessRole.Admin));
        Make(store, "left", "root", ("shop", AccessRole.Node));
        Make(store, "hand", "boss", ("shop", AccessRole.Admin));
        Make(store, "node", "hand", ("shop", AccessRole.Node));
        Must(store, new() { Tokens = [AccessTokenChange.Grant("left", By("hand", "shop", AccessRole.Publisher), 2, "hand")] });
        Make(store, "host", null, ("shop", AccessRole.Node));

        long version = store.TokensVersion;
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("boss", 9, "ann")] });

        Assert.Equal(version + 1, store.TokensVersion);
        Assert.Equal(["boss -", "hand -", "host +shop", "left +", "node -", "root +*"], Standing(store));
        Assert.Equal(
            [
                "ann token.revoke node, made by hand",
                "ann role.remove left, made by hand",
                "ann token.revoke hand, made by boss",
                "ann token.revoke boss",
            ],
            Audit(store, 4));
        Assert.All(
            Read<IReadOnlyList<AccessToken>>(store.ReadTokens).Where(t => t.Id is "boss" or "hand" or "node"),
            t => Assert.Equal(9L, t.RevokedUnixMicros));
    }

    [Fact]
    public void What_a_token_made_stays_where_that_is_said()
    {
        using IHostStore store = Open();
        Make(store, "boss", null, ("shop", AccessRole.Admin));
        Make(store, "node", "boss", ("shop", AccessRole.Node));
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("boss", 9, "ann") with { KeepsMade = true }] });
        Assert.Equal(["boss -", "node +shop"], Standing(store));
        Assert.Equal(["ann token.revoke boss, what it made stays"], Audit(store, 1));
        Assert.Equal("boss", Read<IReadOnlyList<AccessToken>>(store.ReadTokens)[1].MadeBy);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_was_made_by_a_role_ends_when_it_is_taken_away_or_lowered(bool isLowered)
    {
        using IHostStore store = Open();
        Make(store, "boss", null, ("other", AccessRole.Admin), ("shop", AccessRole.Admin));
        Make(store, "both", "boss", ("other", AccessRole.Admin), ("shop", AccessRole.Admin));
        Make(store, "node", "both", ("shop", AccessRole.Node));
        Make(store, "rest", "both", ("other", AccessRole.Node));
        AccessTokenChange change = isLowered
            ? AccessTokenChange.Grant("boss", new("shop", AccessRole.Publisher), 9, "ann")
            : AccessTokenChange.Withdraw("boss", "shop", 9, "ann");

        Must(store, new() { Tokens = [change] });

        string boss = isLowered ? "boss +other,shop" : "boss +other";
        Assert.Equal([boss, "both +other", "node +", "rest +other"], Standing(store));
    }

    [Fact]
    public void A_role_in_an_application_that_the_token_administers_among_all_is_no_loss()
    {
        using IHostStore store = Open();
        Make(store, "boss", null, ("*", AccessRole.Admin), ("shop", AccessRole.Admin));
        Make(store, "node", "boss", ("shop", AccessRole.Node));
        Must(store, new() { Tokens = [AccessTokenChange.Withdraw("boss", "shop", 9, "ann")] });
        Assert.Equal(["boss +*", "node +shop"], Standing(store));
        Must(store, new() { Tokens = [AccessTokenChange.Withdraw("boss", "*", 9, "ann")] });
        Assert.Equal(["boss +", "node +"], Standing(store));
    }

    [Fact]
    public void Two_tokens_that_gave_each_other_their_roles_end_together()
    {
        using IHostStore store = Open();
        Make(store, "boss", null, ("shop", AccessRole.Admin));
        Make(store, "hand", "boss", ("shop", AccessRole.Admin));
        Must(store, new() { Tokens = [AccessTokenChange.Grant("boss", By("hand", "shop", AccessRole.Admin), 2, "hand")] });
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("hand", 9, "ann")] });
        Assert.Equal(["boss +", "hand -"], Standing(store));
    }

    [Fact]
    public void Who_was_revoked_meanwhile_makes_nothing()
    {
        using IHostStore store = Open();
        Make(store, "boss", null, ("shop", AccessRole.Admin));
        Make(store, "node", null, ("shop", AccessRole.Node));
        Refused(store, new() { Tokens = [AccessTokenChange.Create(New("x", "node", ("shop", AccessRole.Node)), "node")] }, "no more");
        Refused(store, new() { Tokens = [AccessTokenChange.Create(New("x", "boss", ("other", AccessRole.Node)), "boss")] }, "'other'");
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("boss", 9, "ann")] });
        Refused(store, new() { Tokens = [AccessTokenChange.Create(New("x", "boss", ("shop", AccessRole.Node)), "boss")] }, "'boss'");
        Refused(store, new() { Tokens = [AccessTokenChange.Grant("node", By("boss", "shop", AccessRole.Admin), 9, "boss")] }, "'boss'");
    }

    [Fact]
    public void The_last_administrator_of_the_cluster_stays_unless_the_host_itself_ends_it()
    {
        using IHostStore store = Open();
        Make(store, "root", null, ("*", AccessRole.Admin));
        Make(store, "boss", null, ("shop", AccessRole.Admin), ("*", AccessRole.Publisher));
        AccessToken brief = New("old", null, ("*", AccessRole.Admin)) with { ExpiresUnixMicros = 9 };
        Must(store, new() { Tokens = [AccessTokenChange.Create(brief, "host")] });
        AccessTokenChange withdraw = AccessTokenChange.Withdraw("root", "*", 9, "root") with { LeavesAdministrator = true };
        AccessTokenChange revoke = AccessTokenChange.Revoke("root", 9, "root") with { LeavesAdministrator = true };
        var publisher = new AccessTokenGrant("*", AccessRole.Publisher);
        AccessTokenChange lower = AccessTokenChange.Grant("root", publisher, 9, "root") with { LeavesAdministrator = true };
        string[] before = Standing(store);

        foreach (AccessTokenChange change in (AccessTokenChange[])[withdraw, revoke, lower])
        {
            Refused(store, new() { Tokens = [change] }, "'root' is the last that administers the cluster. Give another");
        }

        Assert.Equal(before, Standing(store));
        // A moment before, the other one has not expired.
        Must(store, new() { Tokens = [AccessTokenChange.Withdraw("root", "*", 8, "root") with { LeavesAdministrator = true }] });
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("old", 8, "host")] });
        // None is left, so that none of these takes the last one.
        Must(store, new() { Tokens = [AccessTokenChange.Withdraw("boss", "*", 9, "boss") with { LeavesAdministrator = true }] });
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("boss", 9, "boss") with { LeavesAdministrator = true }] });
    }

    [Fact]
    public void Of_two_administrators_that_end_each_other_one_stays()
    {
        using IHostStore store = Open();
        Make(store, "ann", null, ("*", AccessRole.Admin));
        Make(store, "bob", null, ("*", AccessRole.Admin));
        Must(store, new() { Tokens = [AccessTokenChange.Withdraw("ann", "*", 9, "bob") with { LeavesAdministrator = true }] });
        AccessTokenChange revoke = AccessTokenChange.Revoke("bob", 9, "ann") with { LeavesAdministrator = true };
        Refused(store, new() { Tokens = [revoke] }, "'bob' is the last");
        Assert.Equal(["ann +", "bob +*"], Standing(store));
    }

    [Fact]
    public void An_administrator_whose_only_successor_it_made_may_go_if_what_it_made_stays()
    {
        using IHostStore store = Open();
        Make(store, "root", null, ("*", AccessRole.Admin));
        Make(store, "next", "root", ("*", AccessRole.Admin));
        AccessTokenChange change = AccessTokenChange.Revoke("root", 9, "next") with { LeavesAdministrator = true };
        Refused(store, new() { Tokens = [change] }, "apart from what it made. Let that stay, with keepMade=true");
        Must(store, new() { Tokens = [change with { KeepsMade = true }] });
        Assert.Equal(["next +*", "root -"], Standing(store));
    }

    private static AccessToken New(string id, string? madeBy, params (string Application, AccessRole Role)[] grants) =>
        new(id, new byte[32], [.. grants.Select(g => By(madeBy, g.Application, g.Role))], 1, null, null) { MadeBy = madeBy };

    private static AccessTokenGrant By(string? madeBy, string application, AccessRole role) => new(application, role) { MadeBy = madeBy };

    private void Make(IHostStore store, string id, string? madeBy, params (string Application, AccessRole Role)[] grants) =>
        Must(store, new() { Tokens = [AccessTokenChange.Create(New(id, madeBy, grants), madeBy ?? "host")] });

    private string[] Standing(IHostStore store) =>
    [
        .. Read<IReadOnlyList<AccessToken>>(store.ReadTokens).Select(
            t => t.RevokedUnixMicros is null ? $"{t.Id} +{string.Join(',', t.Applications)}" : $"{t.Id} -"),
    ];

    private string[] Audit(IHostStore store, int count) =>
    [
        .. Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, count, d)).Select(
            r => $"{r.Entry.Actor} {r.Entry.Action} {r.Entry.Detail}"),
    ];
}
