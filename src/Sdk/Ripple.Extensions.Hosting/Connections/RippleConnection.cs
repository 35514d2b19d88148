using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>
/// One node of a cluster in this process, and the configuration it brings. Neither a provider nor a container owns it: both hold it while
/// they live, and the last who lets go ends it. It starts once, when it is first wanted. Any thread.
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
    private readonly SectionMap _table;
    private readonly List<RippleConfigurationProvider> _providers = [];
    private readonly List<OptionsValidator> _guards = [];
    private readonly HashSet<OptionsValidator> _leaving = [];
    private readonly ILogger _logger;
    private int _holders;
    private Task? _start;
    private Task? _close;
    private RippleClient? _client;
    private bool _isLeft;
    private CancellationTokenSource _ending = new();
    private FlatConfiguration _current = FlatConfiguration.Empty;

    /// <exception cref="InvalidOperationException">An option is not valid; the message says which and what to give.</exception>
    public RippleConnection(string name, RippleOptions options)
    {
        if (options.ValidationTimeout <= TimeSpan.Zero || options.ValidationTimeout > ValidationTimeoutMax)
        {
            throw new InvalidOperationException(
                $"ValidationTimeout of Ripple '{name}' is {options.ValidationTimeout}. Give more than zero and at most one hour.");
        }

        Name = name;
        Options = options;
        _table = new SectionMap(options);
        _logger = Loggers.CreateLogger(HostingLog.Category);
        if (options.LoggerFactory is { } given)
        {
            Loggers.Use(given);
        }
    }

    /// <summary>The name of the connection string and of the options' section.</summary>
    public string Name { get; }

    public RippleOptions Options { get; }

    /// <summary>Where the client and this log; held back until a container brings its log.</summary>
    public EarlyLoggerFactory Loggers { get; } = new();

    /// <summary>What is in effect.</summary>
    public FlatConfiguration Current => Volatile.Read(ref _current);

    /// <summary>The client; null before the start, after the end, and without a connection string.</summary>
    public RippleClient? Client => Volatile.Read(ref _client);

    /// <summary>True when there is something to connect with.</summary>
    public bool IsConfigured => !string.IsNullOrWhiteSpace(Options.ConnectionString);

    /// <summary>What to write so that it is.</summary>
    public string Advice => $"Set ConnectionStrings:{Name} (the environment variable ConnectionStrings__{Name}) to the connection string "
        + $"an administrator gave you.";

    /// <summary>Starts it, if it is not started, and waits: at most the startup timeout, and not again.</summary>
    /// <exception cref="InvalidOperationException">There is no connection string, and it is not optional.</exception>
    /// <exception cref="RippleException">The start failed, and it is not optional.</exception>
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

            // One that failed may be tried again.
            if (_start is null || _start.IsFaulted || _start.IsCanceled)
            {
                CancellationToken ending = _ending.Token;
                _start = Task.Run(() => StartCoreAsync(ending), CancellationToken.None);
            }

            return _start;
        }
    }

    /// <summary>A provider shows it from now on.</summary>
    public void Attach(RippleConfigurationProvider provider)
    {
        lock (_lock)
        {
            _providers.Add(provider);
            Hold();
        }
    }

    /// <summary>A provider let go.</summary>
    public void Detach(RippleConfigurationProvider provider)
    {
        lock (_lock)
        {
            _providers.Remove(provider);
        }

        WaitFor(ReleaseAsync());
    }

    /// <summary>A container holds it from now on: its validation is asked, its log is written.</summary>
    public void Attach(OptionsValidator guard)
    {
        lock (_lock)
        {
            _guards.Add(guard);
            Hold();
        }
    }

    /// <summary>A container let go.</summary>
    public Task DetachAsync(OptionsValidator guard)
    {
        lock (_lock)
        {
            _guards.Remove(guard);
            _leaving.Remove(guard);
        }

        return ReleaseAsync();
    }

    /// <summary>Waits for an end that is under way; a shutdown is not held up for longer than 2 s.</summary>
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
    /// A container's host ends. When nobody else holds the connection than it, its own providers and others that ended, leaves the region
    /// at once, for good; the configuration stays.
    /// </summary>
    public void BeginLeave(OptionsValidator guard, IReadOnlyCollection<RippleConfigurationProvider> own)
    {
        lock (_lock)
        {
            _leaving.Add(guard);
            if (!_guards.TrueForAll(_leaving.Contains) || !_providers.TrueForAll(own.Contains))
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
            (_start, _close) = (null, null);
        }

        return close;
    }

    private async Task CloseAsync(Task start, CancellationTokenSource ending)
    {
        // A start that is under way is given up.
        await ending.CancelAsync().ConfigureAwait(false);
        await start.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ForceYielding);
        if (Interlocked.Exchange(ref _client, null) is { } client)
        {
            await client.DisposeAsync().ConfigureAwait(false);
        }
    }
}
