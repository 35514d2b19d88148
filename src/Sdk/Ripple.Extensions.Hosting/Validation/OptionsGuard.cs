using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Connections;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// The bound options of one container, made with a candidate before anybody else sees it. Its lock is held from the validation to the end of the reload, so that
/// releases of several connections are compared with what really is in effect.
/// </summary>
internal sealed class OptionsGuard(IServiceProvider services, OptionsRegistrations registrations)
{
    private static int _guards;
    private readonly Lock _lock = new();
    private readonly int _order = Interlocked.Increment(ref _guards);
    private Dictionary<OptionsKey, string> _seen = [];
    private IOptionsProbe[]? _probes;
    private int _isAttached;

    /// <summary>The guards' locks, always in the same order.</summary>
    public static void Enter(OptionsGuard[] guards)
    {
        foreach (OptionsGuard guard in guards.OrderBy(g => g._order))
        {
            guard._lock.Enter();
        }
    }

    public static void Exit(OptionsGuard[] guards)
    {
        foreach (OptionsGuard guard in guards)
        {
            guard._lock.Exit();
        }
    }

    /// <summary>Has releases validated from now on. Starts nothing, and waits for nothing.</summary>
    public void EnsureAttached()
    {
        if (Interlocked.Exchange(ref _isAttached, 1) == 0)
        {
            foreach (string name in registrations.Connections)
            {
                services.GetRequiredKeyedService<ConnectionHolder>(name).Attach(this);
            }
        }
    }

    /// <summary>Makes every bound options object on this thread, which sees the candidate; null: what is in effect. Under the lock.</summary>
    public GuardVerdict Validate(RippleConnection connection, FlatConfiguration? candidate)
    {
        var failures = new List<string>();
        var hashes = new Dictionary<OptionsKey, string>();
        using var scope = ReadScope.See(connection, candidate);
        foreach (IOptionsProbe probe in _probes ??= registrations.MakeProbes(services))
        {
            foreach (OptionsKey key in probe.Keys)
            {
                scope.BeginNotes();
                try
                {
                    probe.Create(key.Name);
                    hashes[key] = scope.HashNotes();
                }
                catch (OptionsValidationException e)
                {
                    failures.AddRange(e.Failures.Select(f => $"{key}: {FailureText.Of(f, scope.NotedValues)}"));
                }
                catch (Exception e)
                {
                    failures.Add($"{key}: {FailureText.Of(e, scope.NotedValues)}");
                }
            }
        }

        return new GuardVerdict(this, failures, hashes);
    }

    /// <summary>The hash of what options last read; null when they were not looked at yet.</summary>
    public string? SeenHash(OptionsKey key) => _seen.GetValueOrDefault(key);

    /// <summary>Takes hashes as those in effect.</summary>
    public void See(IReadOnlyDictionary<OptionsKey, string> hashes) => _seen = new(hashes);

    /// <summary>Where the container logs; null when it does not. Not asked in constructors: the log itself has options.</summary>
    public ILoggerFactory? FindLoggers() => services.GetService<ILoggerFactory>();
}
