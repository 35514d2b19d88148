using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using Ripple.Client;
using Ripple.Client.Scheduling;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>
/// One node of a cluster in this process, and the configuration it provides. Neither a provider nor a container owns it: both hold it while
/// they live, and the last holder to release it ends it. It starts once, on first use. Thread-safe.
/// </summary>
[SuppressMessage(
    "Design",
    "CA1001",
    Justification = "Who holds it lets go of it; the source that ends a start is cancelled then, and holds nothing else.")]
internal sealed partial class RippleConnection
{
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan ValidationTimeoutMax = TimeSpan.FromHours(1);
    private readonly Lock _lock = new();
    private readonly SectionMap _sections;
    private readonly List<RippleConfigurationProvider> _providers = [];
    private readonly List<OptionsValidator> _validators = [];
    private readonly HashSet<OptionsValidator> _leaving = [];
    private readonly ILogger _logger;
    private readonly IClientScheduler _scheduler;
    private int _holders;
    private Task? _start;
    private Task? _close;
    private RippleClient? _client;
    private bool _isLeft;
    private CancellationTokenSource _ending = new();
    private FlatConfiguration _current = FlatConfiguration.Empty;

    /// <param name="name">The name.</param>
    /// <param name="options">The options.</param>
    /// <param name="isJudged">Whether a container with validators follows, and nothing takes effect before.</param>
    /// <exception cref="InvalidOperationException">An option is not valid; the message says which one and what to set.</exception>
    public RippleConnection(string name, RippleOptions options, bool isJudged = false)
    {
        _isJudged = isJudged;
        if (options.ValidationTimeout <= TimeSpan.Zero || options.ValidationTimeout > ValidationTimeoutMax)
        {
            throw new InvalidOperationException(
                $"ValidationTimeout of Ripple '{name}' is {options.ValidationTimeout}. Give more than zero and at most one hour.");
        }

        Name = name;
        Options = options;
        _scheduler = options.Scheduler;
        _sections = new SectionMap(options);
        _logger = Loggers.CreateLogger(HostingLog.Category);
        if (options.LoggerFactory is { } given)
        {
            Loggers.Use(given);
        }
    }

    /// <summary>The name of the connection string and of the options' section.</summary>
    public string Name { get; }

    public RippleOptions Options { get; }

    /// <summary>The log of the client and of this connection; entries are held back until a container provides its log.</summary>
    public EarlyLoggerFactory Loggers { get; } = new();

    /// <summary>The configuration in effect.</summary>
    public FlatConfiguration Current => Volatile.Read(ref _current);

    /// <summary>The client; null before the start, after the end, and without a connection string.</summary>
    public RippleClient? Client => Volatile.Read(ref _client);

    /// <summary>Whether there is a connection string.</summary>
    public bool IsConfigured => !string.IsNullOrWhiteSpace(Options.ConnectionString);

    /// <summary>What to write to configure the connection.</summary>
    public string Advice => $"Set ConnectionStrings:{Name} (the environment variable ConnectionStrings__{Name}) to the connection string "
        + $"an administrator gave you.";

    /// <summary>
    /// Starts the connection if it has not been started, and waits for the start. Bounded by the startup timeout; later calls do not wait
    /// again.
    /// </summary>
    /// <exception cref="InvalidOperationException">There is no connection string, and the connection is not optional.</exception>
    /// <exception cref="RippleException">The start failed, and the connection is not optional.</exception>
    public void Start() => StartAsync().GetAwaiter().GetResult();

    /// <inheritdoc cref="Start"/>
    public Task StartAsync()
    {
        lock (_lock)
        {
            if (_isLeft)
            {
                return Task.CompletedTask;
            }

            // A failed start may be retried.
            if (_start is null || _start.IsFaulted || _start.IsCanceled)
            {
                CancellationToken ending = _ending.Token;
                _start = _scheduler.Run(() => StartCoreAsync(ending), CancellationToken.None).Unwrap();
            }

            return _start;
        }
    }

    /// <summary>Registers a provider that exposes the configuration from now on.</summary>
    public void Attach(RippleConfigurationProvider provider)
    {
        lock (_lock)
        {
            _providers.Add(provider);
            Hold();
        }
    }

    /// <summary>Removes a provider.</summary>
    public void Detach(RippleConfigurationProvider provider)
    {
        lock (_lock)
        {
            _providers.Remove(provider);
        }

        WaitFor(ReleaseAsync());
    }

    /// <summary>Registers a container: from now on its validation is run for releases.</summary>
    public void Attach(OptionsValidator validator)
    {
        lock (_lock)
        {
            _validators.Add(validator);
            Hold();
        }

        if (_isJudged)
        {
            _ = BeginAsync(validator);
        }
    }

    /// <summary>Removes a container.</summary>
    public Task DetachAsync(OptionsValidator validator)
    {
        lock (_lock)
        {
            _validators.Remove(validator);
            _leaving.Remove(validator);
        }

        return ReleaseAsync();
    }

    /// <summary>Waits for an ongoing close, at most 2 s so as not to delay a shutdown.</summary>
    public void WaitFor(Task end)
    {
        try
        {
            end.Wait(CloseTimeout);
        }
        catch (AggregateException e)
        {
            HostingLog.StopFailed(_logger, Name, e);
        }
    }

    /// <summary>
    /// Called when a container's host is stopping. If the connection is held only by that container, its own providers and other stopped
    /// containers, leaves the region at once and does not rejoin; the configuration remains.
    /// </summary>
    public void BeginLeave(OptionsValidator validator, IReadOnlyCollection<RippleConfigurationProvider> own)
    {
        lock (_lock)
        {
            _leaving.Add(validator);
            if (!_validators.TrueForAll(_leaving.Contains) || !_providers.TrueForAll(own.Contains))
            {
                return;
            }

            _isLeft = true;
            _close ??= CloseAsync(_start ?? Task.CompletedTask, _ending);
        }
    }

    private void Hold()
    {
        if (_holders++ == 0)
        {
            _isLeft = false;
            _ending = new();
        }
    }

    private Task ReleaseAsync()
    {
        Task close;
        lock (_lock)
        {
            if (--_holders > 0)
            {
                return Task.CompletedTask;
            }

            close = _close ?? CloseAsync(_start ?? Task.CompletedTask, _ending);
            (_start, _close, _begin, _first) = (null, null, null, null);
        }

        return close;
    }

    private async Task CloseAsync(Task start, CancellationTokenSource ending)
    {
        // A start in progress is canceled.
        await ending.CancelAsync().ConfigureAwait(false);
        await start.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ForceYielding);
        if (Interlocked.Exchange(ref _client, null) is { } client)
        {
            await client.DisposeAsync().ConfigureAwait(false);
        }
    }
}
