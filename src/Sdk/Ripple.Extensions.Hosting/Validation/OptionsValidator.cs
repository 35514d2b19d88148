using System.Runtime.ExceptionServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Connections;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// The bound options of one container, made with a candidate before anybody else sees it. Its gate is held from the validation to the end
/// of the reload, so that releases of several connections are compared with what really is in effect.
/// </summary>
internal sealed class OptionsValidator(IServiceProvider services, OptionsRegistrations registrations)
{
    private static int _guards;
    private Dictionary<OptionsKey, string> _seen = [];
    private IOptionsFactoryProbe[]? _probes;
    private int _isAttached;

    /// <summary>Who enters several guards does so in this order.</summary>
    public int Order { get; } = Interlocked.Increment(ref _guards);

    /// <summary>Held from the validation to the end of the reload.</summary>
    public SemaphoreSlim Gate { get; } = new(1, 1);

    /// <summary>
    /// Has releases validated from now on. Starts nothing, and waits for nothing. A connection that cannot be made keeps no other from
    /// being validated; it is tried again, and fails again, at the next call.
    /// </summary>
    public void EnsureAttached()
    {
        if (Volatile.Read(ref _isAttached) != 0)
        {
            return;
        }

        ExceptionDispatchInfo? failed = null;
        foreach (string name in registrations.Connections)
        {
            try
            {
                services.GetRequiredKeyedService<ConnectionHolder>(name).Attach(this);
            }
            catch (Exception e)
            {
                failed ??= ExceptionDispatchInfo.Capture(e);
            }
        }

        failed?.Throw();
        Volatile.Write(ref _isAttached, 1);
    }

    /// <summary>Makes every bound options object on this thread, which sees the candidate; null: what is in effect. In the gate.</summary>
    public ValidationOutcome Validate(RippleConnection connection, FlatConfiguration? candidate)
    {
        var failures = new List<string>();
        var hashes = new Dictionary<OptionsKey, string>();
        using var scope = ReadScope.See(connection, candidate);
        foreach (IOptionsFactoryProbe probe in _probes ??= registrations.MakeProbes(services))
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

        return new ValidationOutcome(this, failures, hashes);
    }

    /// <summary>The hash of what options last read; null when they were not looked at yet.</summary>
    public string? SeenHash(OptionsKey key) => _seen.GetValueOrDefault(key);

    /// <summary>Takes hashes as those in effect.</summary>
    public void See(IReadOnlyDictionary<OptionsKey, string> hashes) => _seen = new(hashes);

    /// <summary>Where the container logs; null when it does not. Not asked in constructors: the log itself has options.</summary>
    public ILoggerFactory? FindLoggers() => services.GetService<ILoggerFactory>();
}
