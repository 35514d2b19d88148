using System.Globalization;
using System.Text;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A publisher publishes 190 KB of JSON that is some billion characters of configuration when it is spread, under a key that does not say
/// that it is JSON. A service with that configuration must stay small, and take what is published next.
/// </summary>
internal sealed class JsonBomb : Attack
{
    private const int Depth = 60;
    private const int NameChars = 1_000;
    private const int Leaves = 60_000;
    private const double GrowthMbMax = 200;
    private const string Later = "4711";

    public override string Name => "json-bomb";

    public override string What => "a publisher publishes JSON of 190 KB that is gigabytes when it is spread, under a key without .json";

    public override bool IsNamed => false;

    private double GrewMb { get; set; }

    public override async Task PrepareAsync(Stage stage)
    {
        await stage.GiveTokenAsync(Stage.Mallory, Role.Publisher, Stage.Target);
        await stage.PublishAsync(PublishedNumber.Key, "1");
        await stage.AddVictimAsync(RoleTable.HostedMember);
    }

    public override async Task RunAsync(Attacker attacker)
    {
        var text = new StringBuilder();
        for (int i = 0; i < Depth; i++)
        {
            text.Append(CultureInfo.InvariantCulture, $"{{\"{new string('n', NameChars)}\":");
        }

        text.Append('[').AppendJoin(',', Enumerable.Repeat("0", Leaves)).Append(']').Append('}', Depth);
        using var publisher = RippleAdminClient.Connect(attacker.Given(Stage.Mallory));
        try
        {
            await publisher.PublishAsync(
                Stage.Target, new PublishRequest { Set = [new() { Key = "bomb", Text = text.ToString() }] });
        }
        catch (RippleAdminException e)
        {
            Attacker.Note("refused", e.Message);
        }

        await Task.Delay(TimeSpan.FromSeconds(10), attacker.Ending);
    }

    public override async Task<string?> WatchAsync(Stage stage, Task attacking)
    {
        double startMb = Memory.ResidentMb(stage.Victims[0].ProcessId);
        double peakMb = startMb;
        while (!attacking.IsCompleted)
        {
            peakMb = Math.Max(peakMb, Memory.ResidentMb(stage.Victims[0].ProcessId));
            await Task.Delay(50);
        }

        GrewMb = peakMb - startMb;
        return GrewMb > GrowthMbMax ? FormattableString.Invariant($"the service grew by {GrewMb:F0} MB") : null;
    }

    public override async Task<string?> JudgeAsync(Stage stage)
    {
        await stage.PublishAsync(PublishedNumber.Key, Later);
        bool isThere = await stage.Victims[0].ReachesAsync(ulong.Parse(Later, CultureInfo.InvariantCulture), TimeSpan.FromSeconds(20));
        return isThere ? null : "the service does not take what is published next";
    }
}
