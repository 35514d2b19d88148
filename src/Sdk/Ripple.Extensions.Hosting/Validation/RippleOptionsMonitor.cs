using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;
using Ripple.Extensions.Hosting.Configuration;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// .NET's options monitor, told of a release only if the release changes its options, and then at once, whoever else is called; a listener
/// that throws or hangs does not keep others from being called. Options read while other options are being created come from the same
/// release as those, and are not cached.
/// </summary>
internal sealed class RippleOptionsMonitor<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>
    : OptionsMonitor<T>, IOptionsMonitor<T>, IFollowingMonitor, IDisposable
    where T : class
{
    private readonly IOptionsFactory<T> _factory;
    private readonly IOptionsMonitorCache<T> _cache;
    private readonly OptionsValidator _validator;
    private readonly HashSet<OptionsKey> _keys = [];
    private readonly List<IDisposable> _registrations = [];
    private readonly Lock _lock = new();
    private OptionsListener<T>[] _listeners = [];

    // The base only keeps the cache: it would call its listeners one after another, each type when its own change token comes.
    public RippleOptionsMonitor(
        IOptionsFactory<T> factory,
        IEnumerable<IOptionsChangeTokenSource<T>> sources,
        IOptionsMonitorCache<T> cache,
        OptionsValidator validator)
        : base(factory, [], cache)
    {
        (_factory, _cache, _validator) = (factory, cache, validator);
        foreach (IOptionsChangeTokenSource<T> source in sources)
        {
            OptionsKey key = KeyOf(source.Name);
            _keys.Add(key);
            _registrations.Add(ChangeToken.OnChange(source.GetChangeToken, OnOtherChange, key));
        }

        validator.Add(this);
        validator.EnsureAttached();
    }

    /// <exception cref="InvalidOperationException">The options are requested while they are being created.</exception>
    public override T Get(string? name)
    {
        // The cache is shared and holds the state in effect; this thread may see a candidate, or a release replaced meanwhile.
        if (ReadScope.Current is not { } scope)
        {
            return base.Get(name);
        }

        OptionsKey key = KeyOf(name);
        scope.BeginMake(key);
        try
        {
            return _factory.Create(key.Name);
        }
        finally
        {
            scope.EndMake(key);
        }
    }

    public void Forget(Predicate<OptionsKey> isChanged)
    {
        foreach (OptionsKey key in _keys.Where(key => isChanged(key)))
        {
            _cache.TryRemove(key.Name);
        }
    }

    public IEnumerable<Action> CallsOf(IReadOnlySet<OptionsKey> changed) =>
        from key in _keys.Where(changed.Contains)
        from listener in Volatile.Read(ref _listeners)
        select new Action(() => listener.Call(key.Name));

    IDisposable? IOptionsMonitor<T>.OnChange(Action<T, string?> listener)
    {
        var added = new OptionsListener<T>(Get, listener, Remove);
        lock (_lock)
        {
            _listeners = [.. _listeners, added];
        }

        return added;
    }

    void IDisposable.Dispose()
    {
        _registrations.ForEach(registration => registration.Dispose());
        _validator.Remove(this);
        Dispose();
    }

    private static OptionsKey KeyOf(string? name) => new(typeof(T), name ?? Options.DefaultName);

    private void Remove(OptionsListener<T> listener)
    {
        lock (_lock)
        {
            _listeners = [.. _listeners.Where(l => l != listener)];
        }
    }

    /// <summary>Another source of the configuration changed, or what is shown changed without a validation.</summary>
    private void OnOtherChange(OptionsKey key)
    {
        if (Reload.Spares(_validator, key))
        {
            return;
        }

        _cache.TryRemove(key.Name);
        _ = Get(key.Name);
        foreach (OptionsListener<T> listener in Volatile.Read(ref _listeners))
        {
            listener.Call(key.Name);
        }
    }
}

/// <summary>What a reload needs of an options monitor. Thread-safe.</summary>
internal interface IFollowingMonitor
{
    /// <summary>Drops the cached objects of the names that follow the configuration and have changed.</summary>
    void Forget(Predicate<OptionsKey> isChanged);

    /// <summary>A call of each listener for each name that has changed.</summary>
    IEnumerable<Action> CallsOf(IReadOnlySet<OptionsKey> changed);
}

/// <summary>
/// One callback of an options monitor. It is called by one thread at a time, with what is in effect then; what comes while it runs is told
/// once it returns, by the thread it ran on, and of several changes the last.
/// </summary>
internal sealed class OptionsListener<T>(Func<string?, T> get, Action<T, string?> callback, Action<OptionsListener<T>> remove) : IDisposable
{
    private readonly Lock _lock = new();
    private readonly HashSet<string> _missed = new(StringComparer.Ordinal);
    private bool _isRunning;
    private bool _isRemoved;

    /// <summary>Calls the callback, or has it called by the thread on which it runs.</summary>
    public void Call(string name)
    {
        lock (_lock)
        {
            _missed.Add(name);
            if (_isRunning)
            {
                return;
            }

            _isRunning = true;
        }

        while (TryTake(out string? next))
        {
            try
            {
                callback(get(next), next);
            }
            catch (Exception e) when (Reload.TryReport(e))
            {
                // Reported; the release stays in effect.
            }
            catch
            {
                lock (_lock)
                {
                    _isRunning = false;
                }

                throw;
            }
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _isRemoved = true;
        }

        remove(this);
    }

    private bool TryTake([NotNullWhen(true)] out string? name)
    {
        lock (_lock)
        {
            name = _isRemoved ? null : _missed.FirstOrDefault();
            _isRunning = name is not null && _missed.Remove(name);
            return _isRunning;
        }
    }
}
