using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A release is committed while one member does not run. A publisher waits for all members; the host is started again, and only some of
/// them come back. The wait must not hold over who came back first.
/// </summary>
internal sealed class FirstBack : Attack
{
    private static readonly TimeSpan Looks = TimeSpan.FromSeconds(25);

    public override string Name => "first-back";

    public override string What => "a wait over a start of the host, while a member that has not applied the release is away";

    public override bool IsNamed => false;

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        await stage.AddVictimAsync();
        await stage.AddVictimAsync();
    }

    public override async Task RunAsync(Attacker attacker)
    {
        HandNode node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory);
        await node.CloseAsync();
    }

    public override async Task<string?> JudgeAfterAsync(Stage stage)
    {
        MemberProcess away = stage.Victims[1];
        WaiterProcess waiter = await stage.AddWaiterAsync();
        await Shell.SignalAsync("STOP", away.ProcessId);
        try
        {
            ulong release = await stage.PublishAsync("a", "1");
            await waiter.BeginAsync(release, "MIN($ALL.applied)", Looks);
            await Task.Delay(TimeSpan.FromSeconds(1));
            await stage.Host.StopAsync();
            await stage.Host.StartAsync();
            string[] outcome = await waiter.EndAsync(Looks + TimeSpan.FromSeconds(10));
            bool isNamed = outcome.Skip(2).Any(n => n == "victim-2");
            return outcome[0] == nameof(WaitOutcome.Held) && !isNamed
                ? $"the wait held of {outcome[1]} members, and victim-2, which was a member, has not got the release "
                    + $"(left out: '{string.Join("', '", outcome.Skip(2))}')"
                : null;
        }
        finally
        {
            await Shell.SignalAsync("CONT", away.ProcessId);
        }
    }
}
