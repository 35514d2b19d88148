using Microsoft.Extensions.Configuration;

namespace Ripple.Simulator.Clients;

/// <summary>Options of a simulated program, bound to a key of its releases.</summary>
internal sealed class HostedOptions
{
    /// <summary>The key of releases that is bound.</summary>
    public const string Key = "key-0";

    /// <summary>The text of the key; null when no release has it.</summary>
    [ConfigurationKeyName(Key)]
    public string? Text { get; set; }
}
