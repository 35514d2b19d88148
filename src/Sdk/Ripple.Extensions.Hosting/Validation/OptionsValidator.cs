using System.Runtime.ExceptionServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Connections;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// Validates a candidate by creating the bound options of one container from it, before anyone else sees it. Its semaphore is held from
/// the validation to the end of the reload, so that releases of several connections are compared with the state actually in effect.
/// </summary>
internal sealed class OptionsValidator(IServiceProvider services, OptionsRegistrations registrations)
{
    private static int _created;
    private readonly Lock _lock = new();
    private Dictionary<OptionsKey, string> _seen = [];
    private IFollowingMonitor[] _monitors = [];
    private IOptionsFactoryProbe[]? _probes;
    private int _isAttached;

    /// <summary>The order in which to enter the semaphores of several validators.</summary>
    public int Order { get; } = Interlocked.Increment(ref _created);

    /// <summary>Held from the validation to the end of the reload.</summary>
    public SemaphoreSlim Semaphore { get; } = new(1, 1);

    /// <summary>
    /// Attaches to the container's connections, so that releases are validated from now on. Does not start or wait for anything. If a
    /// connection cannot be created, the others are still attached and its exception is thrown; the next call tries again.
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

    /// <summary>
    /// Creates all bound options on this thread, which sees the candidate, or the state in effect if null. Call while holding the
    /// semaphore.
    /// </summary>
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

    /// <summary>The hash of the last reads of these options; null if they have not been validated yet.</summary>
    public string? SeenHash(OptionsKey key) => _seen.GetValueOrDefault(key);

    /// <summary>The options monitors of the container that have been requested so far.</summary>
    public IReadOnlyList<IFollowingMonitor> Monitors => Volatile.Read(ref _monitors);

    /// <summary>Registers a monitor, before anybody reads it.</summary>
    public void Add(IFollowingMonitor monitor)
    {
        lock (_lock)
        {
            _monitors = [.. _monitors, monitor];
        }
    }

    /// <summary>Removes a monitor.</summary>
    public void Remove(IFollowingMonitor monitor)
    {
        lock (_lock)
        {
            _monitors = [.. _monitors.Where(m => m != monitor)];
        }
    }

    /// <summary>Records hashes as those in effect.</summary>
    public void See(IReadOnlyDictionary<OptionsKey, string> hashes) => _seen = new(hashes);

    /// <summary>
    /// The container's logger factory; null if it has none. Not resolved in constructors, because logging itself uses options.
    /// </summary>
    public ILoggerFactory? FindLoggers() => services.GetService<ILoggerFactory>();
}

/// <summary>The result of validating a release with a container's options.</summary>
/// <param name="Validator">The validator of that container.</param>
/// <param name="Failures">The problems found, for display, without values; empty if there are none.</param>
/// <param name="Hashes">For each options object that could be created, the hash of its reads.</param>
internal sealed record ValidationOutcome(
    OptionsValidator Validator, IReadOnlyList<string> Failures, IReadOnlyDictionary<OptionsKey, string> Hashes)
{
    /// <summary>Whether the options were created before and their reads have not changed.</summary>
    public bool IsUnchanged(OptionsKey key) => Hashes.TryGetValue(key, out string? hash) && Validator.SeenHash(key) == hash;

    /// <summary>Makes these hashes the ones later releases are compared with.</summary>
    public void Commit() => Validator.See(Hashes);
}

/// <summary>An options type and its name; the default name is empty.</summary>
internal readonly record struct OptionsKey(Type Type, string Name)
{
    public override string ToString() => Name.Length == 0 ? Type.Name : $"{Type.Name} '{Name}'";
}
