using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;
using Ripple.Client;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Extensions.Hosting;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Connections;
using Ripple.Extensions.Hosting.Validation;
using Ripple.Testing.Signatures;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Clients;

/// <summary>
/// The real client in a program with a .NET host: its releases are configuration, and its options are validated before a release takes
/// effect. The configuration is loaded first, and the services are built some milliseconds later, as in every such program.
/// </summary>
internal sealed class SimulatedHostedClient : SimulatedRippleClient
{
    private const string Connection = "ripple";
    private const long BuildNsMin = 1_000_000;
    private const long BuildNsRange = 50_000_000;
    private const long ValidateNsRange = 3_000_000;
    private readonly SimulatedWorld _world;
    private readonly DeterministicRandom _random;
    private RippleConfigurationProvider? _provider;
    private bool _isBuilt;

    /// <summary>Creates a client that starts with the machine.</summary>
    /// <param name="world">The world.</param>
    /// <param name="machine">The machine.</param>
    /// <param name="authority">The cluster's authority.</param>
    /// <param name="node">The application, zone and name.</param>
    /// <param name="mode">How the program starts its client.</param>
    public SimulatedHostedClient(
        SimulatedWorld world,
        SimulatedMachine machine,
        SimulatedAuthority authority,
        NodeOptions node,
        StartupMode mode = StartupMode.UseSnapshot)
        : base(world, machine, authority, node, mode)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(machine);
        _world = world;
        _random = world.Random.Fork(7_000 + (ulong)machine.Index);
    }

    /// <summary>The number of times the host has started.</summary>
    public long HostStartCount { get; private set; }

    /// <summary>The number of releases the configuration showed.</summary>
    public long ShownCount { get; private set; }

    /// <summary>The number of times its options monitor told of a change.</summary>
    public long ChangedCount { get; private set; }

    /// <summary>What the configuration of the process shows at a path; null for nothing.</summary>
    public string? ValueAt(string path) =>
        Machine.IsRunning && _provider is { } provider && provider.TryGet(path, out string? value) ? value : null;

    /// <inheritdoc/>
    protected override async Task<RippleClient?> OpenAsync(RippleRuntime runtime)
    {
        var source = new RippleConfigurationSource(Connection, options => Configure(options, runtime), isJudged: true);
        var provider = (RippleConfigurationProvider)source.Build(new ConfigurationBuilder());
        _provider = provider;
        _isBuilt = false;
        _ = ChangeToken.OnChange(provider.GetReloadToken, () => NoteShown(provider));
        provider.Hold();
        try
        {
            // A program waits in Load for this, which would block the only thread.
            await provider.Connection.StartAsync().ConfigureAwait(false);
        }
        catch (RippleException)
        {
            return null;
        }

        Follow(StartHostAsync(provider));
        return provider.Connection.Client;
    }

    private void Configure(RippleOptions options, RippleRuntime runtime)
    {
        options.ConnectionString = SimulatedTrust.ConnectionTo("host");
        options.Scheduler = Scheduler!;
        options.ValidationTimeout = TimeSpan.FromSeconds(3);
        options.ConfigureClient = _ => ClientOptions with
        {
            Runtime = runtime,
            AcceptRelease = null,
            SnapshotDirectory = Directory,
        };
    }

    private async Task StartHostAsync(RippleConfigurationProvider provider)
    {
        long buildNs = BuildNsMin + _random.NextInt64(BuildNsRange);
        await Task.Delay(TimeSpan.FromTicks(buildNs / TimeSpan.NanosecondsPerTick), Scheduler!.Clock).ConfigureAwait(false);
        var configuration = new ConfigurationRoot([provider]);
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(configuration);
        services.Configure<HostedOptions>(configuration);
        services.AddSingleton<IValidateOptions<HostedOptions>>(new HostedValidation(provider.Connection, Validate));
        services.AddRipple(Connection);
        ServiceProvider built = services.BuildServiceProvider();
        var lifetime = new RippleHostedService(
            built.GetRequiredKeyedService<ConnectionHolder>(Connection), built.GetRequiredService<OptionsValidator>());
        _isBuilt = true;
        try
        {
            await lifetime.StartingAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (RippleException)
        {
            // It rejects the newest release and has accepted none: it ends, and whoever watches over services starts it again.
            FailStart();
            return;
        }

        HostStartCount++;
        NoteStart();
        NoteShown(provider);
        _ = built.GetRequiredService<IOptionsMonitor<HostedOptions>>().OnChange(NoteChanged);
    }

    /// <summary>What the validators of the program say about the release their options are made from.</summary>
    private string? Validate(RippleRelease release)
    {
        Scheduler!.Block(_random.NextInt64(ValidateNsRange));
        string? reason = VerdictOn(release.Release);
        if (reason is null)
        {
            NoteAccepted(release);
        }
        else
        {
            RejectedCount++;
        }

        return reason;
    }

    private void NoteChanged(HostedOptions options, string? name)
    {
        ChangedCount++;
        if (options.Text != ValueAt(HostedOptions.Key))
        {
            _world.Scheduler.Schedule(0, () => _world.Fail("States", $"a monitor of {Machine} told of options that are not in effect"));
        }
    }

    private void NoteShown(RippleConfigurationProvider provider)
    {
        if (provider.Connection.Current.Release is not { } release)
        {
            return;
        }

        ShownCount++;
        var shown = new SortedDictionary<string, ReadOnlyMemory<byte>>(StringComparer.Ordinal);
        foreach (string key in provider.GetChildKeys([], null))
        {
            shown[key] = provider.TryGet(key, out string? value) && value is not null ? Encoding.UTF8.GetBytes(value) : default;
        }

        // Outside the reload, which would take what a checker throws for a failed callback.
        string name = release.Id.ToString();
        bool isUnjudged = provider.Connection.IsUnjudged && !_isBuilt;
        _world.Scheduler.Schedule(0, () => WitnessOf(Options.Application)?.OnShown(name, shown, isUnjudged));
    }
}
