using System.Diagnostics;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A token waits over HTTP for something that does not come, and is revoked meanwhile. The wait must end soon, and tell nothing of nodes.
/// </summary>
internal sealed class RevokedWait : Attack
{
    private static readonly TimeSpan EndsMax = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan LooksFor = TimeSpan.FromSeconds(30);

    public override string Name => "revoked-wait";

    public override string What => "a token that is revoked while it waits";

    /// <summary>It did nothing that it might not.</summary>
    public override bool IsNamed => false;

    private string TokenId { get; set; } = "";

    public override async Task PrepareAsync(Stage stage)
    {
        TokenId = (await stage.GiveTokenAsync(Stage.Mallory, Role.Node, Stage.Target)).Token.TokenId;
        await stage.GiveTokenAsync("blocker", Role.Node, Stage.Target);
    }

    public override async Task SetUpAsync(Attacker attacker)
    {
        // A member that never applies anything, by another token: the wait stays open because of it.
        await attacker.MemberAsync("blocker", "blocker");
        await Attacker.AskAsync("publish");
    }

    public override async Task RunAsync(Attacker attacker)
    {
        using var admin = RippleAdminClient.Connect(attacker.Given(Stage.Mallory), new RippleAdminOptions { RetryCount = 0 });
        Task<string> waiting = WaitAsync(admin, attacker.Ending);
        await Task.Delay(TimeSpan.FromSeconds(2));
        if (waiting.IsCompleted)
        {
            Attacker.Note("early", await waiting);
            return;
        }

        await Attacker.AskAsync("revoke");
        long begin = Stopwatch.GetTimestamp();
        await Task.WhenAny(waiting, Task.Delay(LooksFor));
        Attacker.Note("ms", (long)Stopwatch.GetElapsedTime(begin).TotalMilliseconds);
        Attacker.Note("told", waiting.IsCompleted ? await waiting : "still open");
    }

    public override async Task OnAskedAsync(Stage stage, string what)
    {
        if (what == "revoke")
        {
            await stage.Admin.RevokeTokenAsync(TokenId);
        }
        else
        {
            await stage.PublishAsync("a", "1");
        }
    }

    public override Task<string?> JudgeAsync(Stage stage) => Task.FromResult(Judge(stage));

    private static string? Judge(Stage stage)
    {
        if (stage.Notes.TryGetValue("early", out string? early))
        {
            return $"not judged: the wait ended by itself: {early}";
        }

        string told = stage.Notes["told"];
        return stage.NoteOf("ms") > EndsMax.TotalMilliseconds
            ? $"{stage.NoteOf("ms")} ms after the revocation the wait is: {told}"
            : told.Contains("blocker", StringComparison.Ordinal) ? $"the revoked token was told: {told}" : null;
    }

    private static async Task<string> WaitAsync(RippleAdminClient admin, CancellationToken ending)
    {
        try
        {
            WaitResult result = await admin.WaitAsync(
                Stage.Target, 1, "MIN($ALL.applied)", TimeSpan.FromSeconds(60), null, ending);
            return $"{result.Outcome} {string.Join(' ', result.Members.Select(m => m.Name))}";
        }
        catch (RippleAdminException e)
        {
            return $"ended: {e.Message}";
        }
    }
}
