using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Options;
using Ripple.Extensions.Hosting.Configuration;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>.NET's options factory, reading all keys of one options object from the same release.</summary>
internal sealed class RippleOptionsFactory<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(
    IEnumerable<IConfigureOptions<T>> setups,
    IEnumerable<IPostConfigureOptions<T>> postConfigures,
    IEnumerable<IValidateOptions<T>> validations) : IOptionsFactory<T>
    where T : class
{
    private readonly OptionsFactory<T> _inner = new(setups, postConfigures, validations);

    public T Create(string name)
    {
        using ReadScope? pinned = ReadScope.Pin();
        return _inner.Create(name);
    }
}

/// <summary>
/// .NET's unnamed options, created once on first access, and never from a release that is only being validated. Thread-safe.
/// </summary>
internal sealed class UnnamedOptions<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(
    IOptionsFactory<T> factory) : IOptions<T>
    where T : class
{
    private readonly Lock _lock = new();
    private T? _value;

    /// <exception cref="InvalidOperationException">The options are requested while they are being created.</exception>
    public T Value => Volatile.Read(ref _value) ?? (ReadScope.IsValidating ? MakeForValidation(ReadScope.Current!) : MakeOnce());

    private T MakeForValidation(ReadScope scope)
    {
        var key = new OptionsKey(typeof(T), Options.DefaultName);
        scope.BeginMake(key);
        try
        {
            return factory.Create(key.Name);
        }
        finally
        {
            scope.EndMake(key);
        }
    }

    private T MakeOnce()
    {
        lock (_lock)
        {
            return _value ??= factory.Create(Options.DefaultName);
        }
    }
}
