using Ripple.Attacks.Attacks;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Runs;

/// <summary>One attack on a host of its own, from the start of the host to the judgement.</summary>
internal sealed class AttackRun(Attack attack, CommandLine line, HostProgram program, string directory)
{
    private const int WarmUp = 40;
    private static readonly TimeSpan LookPause = TimeSpan.FromMilliseconds(20);
    private readonly List<string> _broken = [];

    public async Task<AttackResult> RunAsync()
    {
        Measured? before = null;
        Measured? during = null;
        double peakMb = 0;
        double afterMb = 0;
        bool? isNamed = null;
        Dictionary<string, string> notes = [];
        try
        {
            await using Stage stage = await Stage.BuildAsync(program, directory, line.Core);
            await attack.PrepareAsync(stage);
            await stage.MeasureAsync(WarmUp, Task.CompletedTask);
            before = await BaselineAsync(stage);
            await stage.ReadyAsync(attack);
            int logged = stage.Host.Log.Count;
            double startMb = stage.Host.ResidentMb;
            using var over = new CancellationTokenSource();
            Task<double> peak = PeakAsync(stage.Host, over.Token);
            Task attacking = stage.AttackAsync(attack);
            Task<string?> watching = attack.WatchAsync(stage, attacking);
            during = await stage.MeasureAsync(line.Publishes, Task.WhenAll(attacking, watching));
            Note(await Try(async () =>
            {
                await attacking;
                return await watching;
            }));
            Note(await Try(() => attack.JudgeAsync(stage)));
            await stage.EndAttackAsync();
            await Task.Delay(line.Settle);
            afterMb = stage.Host.ResidentMb - startMb;
            await over.CancelAsync();
            peakMb = await peak - startMb;
            isNamed = attack.IsNamed ? Naming.IsNamed(stage, logged) : null;
            Note(await Try(() => attack.JudgeAfterAsync(stage)));
            notes = stage.Notes.Where(n => !n.Key.StartsWith(Naming.NodeNote, StringComparison.Ordinal)).ToDictionary();
            double printedMb = await program.PrintedMbAsync(attack.MemoryLines, attack.Connections, attack.Regions);
            _broken.AddRange(Judgement.Broken(
                during, before, peakMb - attack.StateMb, afterMb - attack.StateMb, printedMb, isNamed));
            if (stage.PublishesFailed is { Count: > 0 } failed)
            {
                Note($"{failed.Count} publishes failed: {failed.Reason}");
            }
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            Note($"not made: {e.GetType().Name}: {e.Message}");
        }

        return new AttackResult
        {
            Attack = attack.Name,
            IsHeld = _broken.Count == 0,
            Why = string.Join("; ", _broken),
            P99Ms = during?.P99Ms,
            BaselineP99Ms = before?.P99Ms,
            Lost = during?.Lost ?? 0,
            PeakMb = Math.Round(peakMb, 1),
            AfterMb = Math.Round(afterMb, 1),
            IsNamed = isNamed,
            Notes = notes,
        };
    }

    private async Task<Measured> BaselineAsync(Stage stage)
    {
        ChildProcess spinning = await stage.SpinAsync();
        await using (spinning)
        {
            return await stage.MeasureAsync(line.Publishes, Task.CompletedTask);
        }
    }

    private static async Task<double> PeakAsync(HostProcess host, CancellationToken over)
    {
        double peakMb = host.ResidentMb;
        while (!over.IsCancellationRequested)
        {
            peakMb = Math.Max(peakMb, host.ResidentMb);
            await Task.Delay(LookPause, CancellationToken.None);
        }

        return peakMb;
    }

    /// <summary>What is broken; an attack that could not be judged is.</summary>
    private static async Task<string?> Try(Func<Task<string?>> judge)
    {
        try
        {
            return await judge();
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return $"not judged: {e.GetType().Name}: {e.Message}";
        }
    }

    private void Note(string? broken)
    {
        if (broken is not null)
        {
            _broken.Add(broken);
        }
    }
}
