using System.CommandLine;

namespace Ripple.Gms.Host.Commands;

/// <summary>What several commands take.</summary>
internal static class CommonOptions
{
    /// <summary>The data directory; every command works on one.</summary>
    public static Option<string> Data { get; } = new("--data")
    {
        Description = "The host's data directory. Made where it is missing; one host at a time.",
        HelpName = "DIR",
        Required = true,
        Recursive = true,
    };
}
