using Microsoft.Extensions.Configuration;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>
/// The providers that stand before the one of the releases and whose values count more, such as the environment's: where they have a value,
/// the releases leave it to them. Thread-safe.
/// </summary>
/// <param name="configuration">The configuration of all of them.</param>
/// <param name="own">The provider of the releases.</param>
/// <param name="indices">Where they stand among the configuration's providers.</param>
internal sealed class ProvidersAbove(IConfigurationRoot configuration, RippleConfigurationProvider own, int[] indices)
{
    private IConfigurationProvider[]? _found;

    /// <summary>Whether one of them has a value.</summary>
    public bool Has(string key)
    {
        foreach (IConfigurationProvider provider in Volatile.Read(ref _found) ?? Find())
        {
            if (provider.TryGet(key, out _))
            {
                return true;
            }
        }

        return false;
    }

    private IConfigurationProvider[] Find()
    {
        if (indices.Length == 0)
        {
            return _found = [];
        }

        // While a configuration replaces its providers, it reads by the former ones.
        IConfigurationProvider[] all = [.. configuration.Providers];
        if (!all.Contains(own))
        {
            return [];
        }

        IConfigurationProvider[] found = [.. indices.Select(i => all[i])];
        Volatile.Write(ref _found, found);
        return found;
    }
}
