using System.Globalization;
using Microsoft.Extensions.Configuration;
using Ripple.Client;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>Reads <see cref="RippleOptions"/> from a section, without reflection.</summary>
internal static class OptionsReader
{
    /// <summary>The configuration section of a connection.</summary>
    public static string SectionOf(string name) => ConfigurationPath.Combine("Ripple", name);

    /// <exception cref="InvalidOperationException">A value is malformed; the message says which one and what to write.</exception>
    public static void Read(IConfiguration configuration, string name, RippleOptions options)
    {
        IConfigurationSection section = configuration.GetSection(SectionOf(name));
        options.ConnectionString = section[nameof(options.ConnectionString)]
            ?? configuration.GetConnectionString(name)
            ?? options.ConnectionString;
        options.Application = section[nameof(options.Application)] ?? options.Application;
        options.Zone = section[nameof(options.Zone)] ?? options.Zone;
        options.NodeName = section[nameof(options.NodeName)] ?? options.NodeName;
        options.RootKey = section[nameof(options.RootKey)] ?? options.RootKey;
        options.Prefix = section[nameof(options.Prefix)] ?? options.Prefix;
        options.SnapshotPath = section[nameof(options.SnapshotPath)] ?? options.SnapshotPath;
        options.Optional = Parse(section, nameof(options.Optional), options.Optional, bool.Parse, "true or false");
        options.StartupMode = Parse(
            section, nameof(options.StartupMode), options.StartupMode, ParseName<StartupMode>, string.Join(
                ", ", Enum.GetNames<StartupMode>()));
        options.Precedence = Parse(
            section, nameof(options.Precedence), options.Precedence, ParseName<RipplePrecedence>, string.Join(
                ", ", Enum.GetNames<RipplePrecedence>()));
        options.StartupTimeout = Parse(section, nameof(options.StartupTimeout), options.StartupTimeout, ParseTime, "a time as 00:00:10");
        options.ValidationTimeout = Parse(
            section, nameof(options.ValidationTimeout), options.ValidationTimeout, ParseTime, "a time as 00:00:30");
        options.MaxStaleness = Parse(
            section, nameof(options.MaxStaleness), options.MaxStaleness, text => ParseTime(text), "a time as 00:30:00");
        foreach (IConfigurationSection label in section.GetSection(nameof(options.Labels)).GetChildren())
        {
            options.Labels[label.Key] = label.Value ?? string.Empty;
        }

        foreach (IConfigurationSection key in section.GetSection(nameof(options.Keys)).GetChildren())
        {
            if (key.Value is { Length: > 0 } pattern)
            {
                options.Keys.Add(pattern);
            }
        }
    }

    private static T Parse<T>(IConfigurationSection section, string key, T fallback, Func<string, T> parse, string expected)
    {
        if (section[key] is not { } text)
        {
            return fallback;
        }

        try
        {
            return parse(text);
        }
        catch (Exception e) when (e is FormatException or ArgumentException or OverflowException)
        {
            throw new InvalidOperationException($"The configuration '{section.Path}:{key}' is not valid. Write {expected}.", e);
        }
    }

    private static T ParseName<T>(string text)
        where T : struct, Enum =>
        Enum.GetNames<T>().Contains(text, StringComparer.OrdinalIgnoreCase)
            ? Enum.Parse<T>(text, ignoreCase: true)
            : throw new FormatException();

    private static TimeSpan ParseTime(string text) => TimeSpan.Parse(text, CultureInfo.InvariantCulture);
}
