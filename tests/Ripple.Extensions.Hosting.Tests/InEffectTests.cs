using System.Globalization;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Holders;
using Ripple.Extensions.Hosting.Tests.Hosting;
using WaitOutcome = Ripple.Client.WaitOutcome;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>
/// Real processes that come late, however: what each puts in effect was accepted by its own validators, nothing that was superseded is
/// among it, and the host says of it what the process serves.
/// </summary>
public sealed class InEffectTests
{
    private const int First = 7;
    private const int Superseded = 66;
    private const int Last = 8;
    private const int Invalid = 1_000;
    private const int Many = 70;

    public enum Absence
    {
        Restart,
        RestartWithoutHost,
        FreshCopy,
        Stopped,
        SeventyBehind,
    }

    public enum Newest
    {
        Valid,
        Invalid,
        RolledBack,
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static MatrixTheoryData<Absence, Newest> Cells => new(Enum.GetValues<Absence>(), Enum.GetValues<Newest>());

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task What_a_process_serves_was_accepted_by_it_and_is_the_newest_such(Absence absence, Newest newest)
    {
        Assert.SkipWhen(absence == Absence.Stopped && OperatingSystem.IsWindows(), "Windows stops no process by a signal.");
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(First));
        using HostedProcess before = HostedProcess.Start(cluster, "service");
        await before.SaysAsync("started");
        await Poll.UntilAsync(() => IsOnDisk(cluster, First), "the first release on disk");

        string name = absence == Absence.FreshCopy ? "copy" : "service";
        ulong release = await PublishAsync(cluster, absence, newest, before);
        using HostedProcess? after = absence == Absence.Stopped ? null : HostedProcess.Start(cluster, name);
        HostedProcess process = after ?? before;
        await process.SaysAsync("started");
        // A copy has accepted none itself, and starts from the one that the others have in effect.
        (int limit, ulong inEffect) = (newest, absence) switch
        {
            (Newest.Valid, _) => (Last, release),
            (Newest.RolledBack, _) => (First, release),
            (_, Absence.FreshCopy) => (Superseded, 2ul),
            _ => (First, 1ul),
        };
        if (absence == Absence.RestartWithoutHost)
        {
            await ServesAsync(process, limit, inEffect);
            await cluster.StartAsync();
        }

        await ServesAsync(process, limit, inEffect);
        await IsToldAsync(cluster, name, release, inEffect);
        Assert.Equal((limit, inEffect), await process.ServesAsync());
        JudgeWhatWasShown(process.Lines, limit, isNew: absence == Absence.FreshCopy);
    }

    /// <summary>What is published, and what happens to the process meanwhile. Returns the newest release.</summary>
    private static async Task<ulong> PublishAsync(TestCluster cluster, Absence absence, Newest newest, HostedProcess process)
    {
        if (absence == Absence.RestartWithoutHost)
        {
            ulong heard = await PublishNewestAsync(cluster, newest, superseded: newest == Newest.RolledBack ? 1 : 0, waits: true);
            await Poll.UntilAsync(
                () => newest == Newest.Invalid ? cluster.IsOnDisk("service", "Limit is more than 100.") : IsOnDiskAlone(cluster, newest),
                "what was decided on disk");
            process.Kill();
            await cluster.StopAsync();
            return heard;
        }

        if (absence == Absence.Stopped)
        {
            await process.SignalAsync("STOP");
        }
        else if (absence != Absence.FreshCopy)
        {
            process.Kill();
        }

        ulong release = await PublishNewestAsync(
            cluster, newest, absence == Absence.SeventyBehind ? Many : 1, waits: absence == Absence.FreshCopy);
        if (absence == Absence.Stopped)
        {
            // So long that what waits in its buffers is of another time.
            await Task.Delay(TimeSpan.FromSeconds(5), Token);
            await process.SignalAsync("CONT");
        }

        return release;
    }

    private static async Task<ulong> PublishNewestAsync(TestCluster cluster, Newest newest, int superseded, bool waits)
    {
        // Every seventh of many is invalid.
        ulong[] old = await Task.WhenAll(
            Enumerable.Range(1, superseded).Select(i => cluster.PublishAsync(Shop(i % 7 == 0 ? Invalid + i : Superseded))));
        if (waits && superseded > 0)
        {
            await cluster.WaitAsync(old.Max());
        }

        ulong release = newest == Newest.RolledBack
            ? (await cluster.Publisher.RollbackAsync(TestCluster.Application, 1, cancellationToken: Token)).Release
            : await cluster.PublishAsync(Shop(newest == Newest.Valid ? Last : Invalid));
        if (waits)
        {
            Assert.Equal(
                newest == Newest.Invalid ? WaitOutcome.CannotHold : WaitOutcome.Held, (await cluster.WaitAsync(release)).Outcome);
        }

        return release;
    }

    private static async Task ServesAsync(HostedProcess process, int limit, ulong release)
    {
        (int Limit, ulong Release) now = default;
        await Poll.UntilAsync(
            async () => (now = await process.ServesAsync()) == (limit, release),
            $"release {release} with limit {limit} in effect; it serves {now}, and said {string.Join("; ", process.Lines)}");
    }

    /// <summary>
    /// The host says that the process has the newest release whole, which is in effect there, and whether it rejected one.
    /// </summary>
    private static async Task IsToldAsync(TestCluster cluster, string name, ulong newest, ulong inEffect)
    {
        using var admin = RippleAdminClient.Connect(cluster.AdminConnection);
        NodeInfo? told = null;
        await Poll.UntilAsync(
            async () =>
            {
                told = (await admin.ListNodesAsync(TestCluster.Application, null, Token).ToArrayAsync(Token))
                    .Where(n => n.Name == name).MaxBy(n => n.Incarnation);
                return told is not null
                    && (told.Received, told.Applied, told.Rejected) == (newest, inEffect, newest == inEffect ? 0 : newest);
            },
            $"received {newest}, in effect {inEffect}; the host says {told}");
        ReleaseHolders holders = await admin.GetHoldersAsync(TestCluster.Application, newest, Token);
        Assert.Equal(newest != inEffect, holders.Rejected.Any(n => n.NodeId == told!.NodeId));
        Assert.DoesNotContain(holders.Behind, n => n.NodeId == told!.NodeId);
    }

    /// <summary>Everything that services saw was accepted before, and is what is in effect, or was before the process was away.</summary>
    private static void JudgeWhatWasShown(string[] lines, int limit, bool isNew)
    {
        var accepted = new HashSet<int>();
        foreach (string line in lines)
        {
            string[] words = line.Split(' ');
            int value = words.Length == 2 && int.TryParse(words[1], CultureInfo.InvariantCulture, out int number) ? number : 0;
            switch (words[0])
            {
                case "accepts":
                    accepted.Add(value);
                    break;
                case "shown" or "told":
                    Assert.True(accepted.Contains(value), $"{line}, which it had not accepted: {string.Join("; ", lines)}");
                    Assert.True(value == limit || (value == First && !isNew), $"{line}, which was superseded: {string.Join("; ", lines)}");
                    break;
            }
        }
    }

    private static bool IsOnDiskAlone(TestCluster cluster, Newest newest) => newest == Newest.Valid
        ? IsOnDisk(cluster, Last) && !IsOnDisk(cluster, First)
        : IsOnDisk(cluster, First) && !IsOnDisk(cluster, Superseded);

    private static bool IsOnDisk(TestCluster cluster, int limit) => cluster.IsOnDisk("service", Shop(limit).Text!);

    private static (string Key, string? Text) Shop(int limit) => ("appsettings.json", $$"""{ "Shop": { "Limit": {{limit}} } }""");
}
