using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Options;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>The options monitor of .NET, told of a release only where it changes its options; a listener that throws does not keep others from being told.</summary>
internal sealed class RippleOptionsMonitor<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T> : OptionsMonitor<T>, IOptionsMonitor<T>, IDisposable
    where T : class
{
    private readonly GatedChangeTokenSource<T>[] _gates;

    public RippleOptionsMonitor(IOptionsFactory<T> factory, IEnumerable<IOptionsChangeTokenSource<T>> sources, IOptionsMonitorCache<T> cache, OptionsGuard guard)
        : this(factory, [.. sources.Select(s => new GatedChangeTokenSource<T>(s, guard))], cache)
    {
        guard.EnsureAttached();
    }

    private RippleOptionsMonitor(IOptionsFactory<T> factory, GatedChangeTokenSource<T>[] gates, IOptionsMonitorCache<T> cache)
        : base(factory, gates, cache) => _gates = gates;

    IDisposable? IOptionsMonitor<T>.OnChange(Action<T, string?> listener) => OnChange((options, name) =>
    {
        try
        {
            listener(options, name);
        }
        catch (Exception e) when (ReloadScope.TryReport(e))
        {
            // Reported; the release is in effect.
        }
    });

    void IDisposable.Dispose()
    {
        foreach (GatedChangeTokenSource<T> gate in _gates)
        {
            gate.Dispose();
        }

        Dispose();
    }
}
