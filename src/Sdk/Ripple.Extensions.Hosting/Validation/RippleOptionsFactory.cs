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
