using System.Diagnostics;
using System.Globalization;

namespace Ripple.Load.Push;

/// <summary>A fleet, who publishes to it, and what its processes tell: what every way to measure a push begins with.</summary>
internal sealed class PushSession : IAsyncDisposable
{
    private const int WarmUp = 20;
    private const int CompilingWindow = 2;
    // As long as the runtime takes to see what is hot, and to compile that again in the background: a process that has run for a while is
    // what is measured.
    private static readonly TimeSpan CompilingTime = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan CompilingPause = TimeSpan.FromSeconds(1);
    private readonly PushOptions _options;
    private ApplicationLoad? _main;

    private PushSession(PushOptions options) => _options = options;

    public Fleet Fleet { get; } = new();

    /// <summary>The application that is measured.</summary>
    public ApplicationLoad Main => _main!;

    /// <summary>The application beside it; null without one.</summary>
    public ApplicationLoad? Beside { get; private set; }

    /// <summary>
    /// What the first process has, where it goes deaf: it is no part of the log of <see cref="Main"/> then. Null where it does not.
    /// </summary>
    public PublishLog? Apart { get; private set; }

    /// <summary>The processes of nodes.</summary>
    public IReadOnlyList<ClientTally> Tallies { get; private set; } = [];

    /// <summary>From the start of the first process until all nodes had joined.</summary>
    public double JoinSeconds { get; private set; }

    /// <summary>Starts all, with every node joined.</summary>
    public static async Task<PushSession> StartAsync(PushOptions options)
    {
        var session = new PushSession(options);
        try
        {
            await session.StartAsync();
            return session;
        }
        catch
        {
            await session.DisposeAsync();
            throw;
        }
    }

    /// <summary>
    /// Publishes until what is hot is compiled, and then at the rate that is measured. <paramref name="behindCompiling"/> is done between
    /// both, when nothing is under way.
    /// </summary>
    public async Task WarmUpAsync(Func<Task>? behindCompiling = null)
    {
        PushPublisher publisher = Main.Publisher;
        using (var compiled = new CancellationTokenSource(CompilingTime))
        {
            await publisher.InWindowAsync(CompilingWindow, compiled.Token);
        }

        await Main.SettleAsync(0, publisher.Begun);
        await Task.Delay(CompilingPause);
        await (behindCompiling?.Invoke() ?? Task.CompletedTask);
        int warmUp = publisher.Begun;
        await publisher.AtRateAsync(WarmUp);
        await Main.SettleAsync(warmUp, WarmUp);
    }

    /// <summary>Asks every process of nodes.</summary>
    public Task<ClientSample[]> SampleAsync(string question = ClientSample.Question) =>
        Task.WhenAll(Tallies.Select(t => t.SampleAsync(question)));

    public async ValueTask DisposeAsync()
    {
        await (Beside?.DisposeAsync() ?? default);
        await (_main?.DisposeAsync() ?? default);
        await Fleet.DisposeAsync();
    }

    private async Task StartAsync()
    {
        long begin = Stopwatch.GetTimestamp();
        await Fleet.StartAsync(_options);
        int apart = _options.IsDeaf ? Fleet.NodesOf(0) : 0;
        Apart = apart > 0 ? new PublishLog(apart) : null;
        _main = await ApplicationLoad.ConnectAsync(
            Fleet.PublisherConnection, Fleet.Application, _options with { Clients = _options.Clients - apart });
        JoinSeconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"joined  {_options.Clients} nodes in {_options.Processes} processes after {JoinSeconds:F1} s"));
        if (_options.BesideBytes > 0)
        {
            Beside = await ApplicationLoad.ConnectAsync(Fleet.PublisherConnection, Fleet.ApplicationBeside, BesideRun.OptionsOf(_options));
        }

        ClientTally[] tallies = [.. Fleet.Clients.Select(c => new ClientTally(c))];
        Tallies = tallies;
        foreach ((int i, ClientTally tally) in tallies.Index())
        {
            PublishLog log = i == 0 && Apart is not null ? Apart : Main.Log;
            _ = Task.Run(() => tally.ReadAsync(log, Beside?.Log));
        }
    }
}
