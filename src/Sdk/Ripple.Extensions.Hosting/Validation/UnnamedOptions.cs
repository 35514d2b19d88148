using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Options;
using Ripple.Extensions.Hosting.Configuration;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// The options of .NET that are made once, when they are first asked for; not of a release that is only validated. Any thread.
/// </summary>
internal sealed class UnnamedOptions<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(
    IOptionsFactory<T> factory) : IOptions<T>
    where T : class
{
    private readonly Lock _lock = new();
    private T? _value;

    /// <exception cref="InvalidOperationException">These options are asked for while they are made.</exception>
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
