using System.CommandLine;

namespace Ripple.Gms.Host.Commands;

/// <summary>Options shared by several commands.</summary>
internal static class CommonOptions
{
    /// <summary>The data directory that the command works on.</summary>
    public static Option<string> Data { get; } = new("--data")
    {
        Description = "The host's data directory. Made where it is missing; one host at a time.",
        HelpName = "DIR",
        Required = true,
        Recursive = true,
    };
}
