using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;
using Ripple.Extensions.Hosting.Configuration;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// .NET's options monitor, notified of a release only if the release changes its options; a listener that throws does not keep others from
/// being notified. Options read while other options are being created come from the same release as those, and are not cached.
/// </summary>
internal sealed class RippleOptionsMonitor<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>
    : OptionsMonitor<T>, IOptionsMonitor<T>, IDisposable
    where T : class
{
    private readonly FilteredChangeTokenSource<T>[] _sources;
    private readonly IOptionsFactory<T> _factory;

    public RippleOptionsMonitor(
        IOptionsFactory<T> factory,
        IEnumerable<IOptionsChangeTokenSource<T>> sources,
        IOptionsMonitorCache<T> cache,
        OptionsValidator validator)
        : this(factory, [.. sources.Select(s => new FilteredChangeTokenSource<T>(s, validator))], cache)
    {
        validator.EnsureAttached();
    }

    private RippleOptionsMonitor(IOptionsFactory<T> factory, FilteredChangeTokenSource<T>[] sources, IOptionsMonitorCache<T> cache)
        : base(factory, sources, cache) => (_factory, _sources) = (factory, sources);

    /// <exception cref="InvalidOperationException">The options are requested while they are being created.</exception>
    public override T Get(string? name)
    {
        // The cache is shared and holds the state in effect; this thread may see a candidate, or a release replaced meanwhile.
        if (ReadScope.Current is not { } scope)
        {
            return base.Get(name);
        }

        var key = new OptionsKey(typeof(T), name ?? Options.DefaultName);
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

    IDisposable? IOptionsMonitor<T>.OnChange(Action<T, string?> listener) => OnChange((options, name) =>
    {
        try
        {
            listener(options, name);
        }
        catch (Exception e) when (ReloadScope.TryReport(e))
        {
            // Reported; the release stays in effect.
        }
    });

    void IDisposable.Dispose()
    {
        foreach (FilteredChangeTokenSource<T> source in _sources)
        {
            source.Dispose();
        }

        Dispose();
    }
}

/// <summary>Forwards changes of another source, except for releases that leave these options unchanged. Thread-safe.</summary>
internal sealed class FilteredChangeTokenSource<T> : IOptionsChangeTokenSource<T>, IDisposable
{
    private readonly OptionsValidator _validator;
    private readonly OptionsKey _key;
    private readonly IDisposable _registration;
    private ConfigurationReloadToken _token = new();

    public FilteredChangeTokenSource(IOptionsChangeTokenSource<T> inner, OptionsValidator validator)
    {
        _validator = validator;
        Name = inner.Name;
        _key = new OptionsKey(typeof(T), inner.Name ?? Options.DefaultName);
        _registration = ChangeToken.OnChange(inner.GetChangeToken, Pass);
    }

    public string? Name { get; }

    public IChangeToken GetChangeToken() => Volatile.Read(ref _token);

    public void Dispose() => _registration.Dispose();

    private void Pass()
    {
        if (!ReloadScope.Spares(_validator, _key))
        {
            Interlocked.Exchange(ref _token, new ConfigurationReloadToken()).OnReload();
        }
    }
}
