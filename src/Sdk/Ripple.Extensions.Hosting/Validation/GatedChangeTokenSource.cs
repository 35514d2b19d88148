using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>Forwards changes of another source, except for releases that leave these options unchanged. Thread-safe.</summary>
internal sealed class GatedChangeTokenSource<T> : IOptionsChangeTokenSource<T>, IDisposable
{
    private readonly OptionsValidator _guard;
    private readonly OptionsKey _key;
    private readonly IDisposable _registration;
    private ConfigurationReloadToken _token = new();

    public GatedChangeTokenSource(IOptionsChangeTokenSource<T> inner, OptionsValidator guard)
    {
        _guard = guard;
        Name = inner.Name;
        _key = new OptionsKey(typeof(T), inner.Name ?? Options.DefaultName);
        _registration = ChangeToken.OnChange(inner.GetChangeToken, Pass);
    }

    public string? Name { get; }

    public IChangeToken GetChangeToken() => Volatile.Read(ref _token);

    public void Dispose() => _registration.Dispose();

    private void Pass()
    {
        if (!ReloadScope.Spares(_guard, _key))
        {
            Interlocked.Exchange(ref _token, new ConfigurationReloadToken()).OnReload();
        }
    }
}
